import { readAppSettings } from '../mcp-app/app-settings.ts';
import { startApp } from '../mcp-app/start-app.tsx';
import blocks from '../renderers/blocks/blocks.css?inline';
import tokens from '../style/tokens.css?inline';
import { waitForPage } from './bridges/page-bridge.ts';
import { lockDown } from './lock-down.ts';
import { createPlaces } from './places.ts';
import containers from './style/containers.css?inline';
import figures from './style/figures.css?inline';
import forms from './style/forms.css?inline';
import page from './style/page.css?inline';
import tables from './style/tables.css?inline';
import text from './style/text.css?inline';

lockDown();
const style = document.createElement('style');
style.textContent = [tokens, blocks, page, containers, figures, tables, forms, text].join('\n');
document.head.append(style);

const app = readAppSettings();
if (app) {
  void startApp(app, createPlaces());
} else if (parent === window) {
  document.body.textContent = 'Interfaces of tools are shown in here by Toolpost. By itself this page does nothing.';
} else {
  waitForPage(createPlaces());
}
