import { readAppSettings } from '../mcp-app/app-settings.ts';
import { startApp } from '../mcp-app/start-app.tsx';
import blocks from '../renderers/blocks/blocks.css?inline';
import tokens from '../style/tokens.css?inline';
import { waitForPage } from './bridges/page-bridge.ts';
import css from './frame.css?inline';
import { lockDown } from './lock-down.ts';
import { createPlaces } from './places.ts';

lockDown();
const style = document.createElement('style');
style.textContent = tokens + blocks + css;
document.head.append(style);

const app = readAppSettings();
if (app) {
  void startApp(app, createPlaces());
} else if (parent === window) {
  document.body.textContent = 'Interfaces of tools are shown in here by Toolpost. By itself this page does nothing.';
} else {
  waitForPage(createPlaces());
}
