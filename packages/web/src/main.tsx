import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { Boundary } from './app/boundary.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/layout.css';
import './style/conversation.css';
import './style/calls.css';
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
