import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { Boundary } from './app/boundary.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/shell.css';
import './style/page.css';
import './style/menu.css';
import './style/notices.css';
import './style/sign-in.css';
import './style/conversation.css';
import './style/composer.css';
import './style/markdown.css';
import './style/code.css';
import './style/call.css';
import './style/diff.css';
import './style/data.css';
import './style/question.css';
import './style/side-panel.css';
import './style/inspector.css';
import './style/interface.css';
import './style/pages.css';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <Boundary what="the page">
      <App />
    </Boundary>
  </StrictMode>,
);
