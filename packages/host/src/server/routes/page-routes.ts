import { HOST_VERSION } from '../../version.ts';
import { framePageHeaders, frameSource } from '../frame-page.ts';
import { PAGE_SCRIPT, PAGE_STYLE, renderPage } from '../page.ts';
import { Problem } from '../problem.ts';
import { renderReference } from '../reference-page.ts';
import { defineRoute, type Route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';
import { type ClientFile, createClientFiles } from '../web-client.ts';

/** Nothing from anywhere else, nothing inline, no frame, no form. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The client shows pictures and sounds of results, which come with them as data. */
const CLIENT_POLICY = `${PAGE_POLICY}; img-src 'self' data:; media-src data:`;

/** What loads without a token: the client where it is built, else a small page; and the reference. */
export function pageRoutes(parts: ServerParts, all: () => readonly Route[]): readonly Route[] {
  const { clientDir } = parts;
  const reference = file('/docs', 'Every request, for people', 'text/html', () => renderReference(all()));
  const style = file('/page.css', "The page's style", 'text/css', () => PAGE_STYLE);
  return [...(clientDir === undefined ? smallPageRoutes(parts) : clientRoutes(clientDir)), reference, style];
}

function smallPageRoutes({ sessions, startedAt, host, url }: ServerParts): readonly Route[] {
  const model = host.settings.model ?? 'demo';
  return [
    file('/', 'The page', 'text/html', () =>
      renderPage({ version: HOST_VERSION, startedAt, openTurns: sessions.openTurns, model, url: url() }),
    ),
    file('/page.js', "The page's script", 'text/javascript', () => PAGE_SCRIPT),
  ];
}

function file(path: string, summary: string, contentType: string, text: () => string): Route {
  return defineRoute({
    ...{ method: 'get', path, summary, tag: 'server', isOpen: true },
    answer: { status: 200, description: 'The file.', contentType },
    handle: () =>
      new Response(text(), {
        headers: {
          'content-type': `${contentType}; charset=utf-8`,
          'content-security-policy': PAGE_POLICY,
          'cache-control': 'no-store',
        },
      }),
  });
}

function clientRoutes(dir: string): readonly Route[] {
  const find = createClientFiles(dir);
  const existing = (path: string): ClientFile => {
    const found = find(path);
    if (!found) throw new Problem(404, 'NOT_FOUND', `the client has no file ${JSON.stringify(path)}`);
    return found;
  };
  const route = (path: string, summary: string, contentType: string, nameOf: (name: string) => string): Route =>
    defineRoute({
      ...{ method: 'get', path, summary, tag: 'server', isOpen: true },
      answer: { status: 200, description: 'The file.', contentType },
      handle({ params: { name = '' }, context }) {
        const found = existing(nameOf(name));
        return new Response(found.body, {
          headers: {
            'content-type': found.contentType,
            'content-security-policy': `${CLIENT_POLICY}; frame-src ${frameSource(context.req.header('host'))}`,
            'cache-control': found.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
          },
        });
      },
    });
  return [
    route('/', 'The page of the client', 'text/html', () => 'index.html'),
    route('/icon.svg', 'Its picture', 'image/svg+xml', () => 'icon.svg'),
    route('/assets/{name}', 'Its scripts and styles', 'text/javascript', (name) => `assets/${name}`),
    route('/frame/{name}', 'Libraries of interfaces', 'text/javascript', (name) => `frame/${libraryName(name)}`),
    frameRoute(existing),
  ];
}

/** The page of the frame has one address, where it comes with its policy. */
function libraryName(name: string): string {
  return name.endsWith('.js') ? name : '';
}

function frameRoute(existing: (path: string) => ClientFile): Route {
  return defineRoute({
    ...{ method: 'get', path: '/frame/', summary: 'Where interfaces of tools run', tag: 'server', isOpen: true },
    answer: { status: 200, description: 'The frame.', contentType: 'text/html' },
    handle() {
      const { body, contentType } = existing('frame/frame.html');
      return new Response(body, { headers: { 'content-type': contentType, ...framePageHeaders(body) } });
    },
  });
}
