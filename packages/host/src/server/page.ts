export interface PageFacts {
  readonly version: string;
  readonly startedAt: number;
  readonly openTurns: number;
  readonly model: string;
}

/**
 * The page before there is a client for it: what runs, and where to go on. It loads without a token and tells nothing that
 * needs one; opened by a one-use link, its script shows the sessions and plugins of that token.
 */
export function renderPage({ version, startedAt, openTurns, model }: PageFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toolpost</title>
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<main>
<h1>Toolpost ${escapeHtml(version)}</h1>
<p>A tool host for AI agents, running since <time datetime="${new Date(startedAt).toISOString()}">${new Date(startedAt).toUTCString()}</time>.</p>
<dl>
<dt>Model</dt><dd>${escapeHtml(model)}</dd>
<dt>Turns that run</dt><dd>${openTurns}</dd>
</dl>
<ul>
<li><a href="/openapi.json">The OpenAPI document</a>: every request that this server answers</li>
<li><a href="/docs">The documentation</a>: the same for people, and what each error code means</li>
<li><a href="/healthz">Health</a></li>
</ul>
<p>Requests below <code>/api</code> need <code>Authorization: Bearer TOKEN</code>. The command that started the server printed
a link that opens this page with the token, once. <code>toolpost --help</code> tells of the command.</p>
<section id="own" hidden>
<h2>Sessions</h2>
<ul id="sessions"></ul>
<h2>Plugins</h2>
<ul id="plugins"></ul>
</section>
<p id="note" role="status"></p>
</main>
</body>
</html>
`;
}

/** Takes the code out of the address at once, so that it stays in no history, and keeps the token in memory alone. */
export const PAGE_SCRIPT = `'use strict';
const note = document.getElementById('note');

async function ask(path, token, body) {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: 'Bearer ' + token }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

function fill(id, texts) {
  const items = (texts.length > 0 ? texts : ['none']).map((text) => {
    const item = document.createElement('li');
    item.textContent = text;
    return item;
  });
  document.getElementById(id).replaceChildren(...items);
}

async function open(code) {
  const { token } = await ask('/api/login', undefined, { code });
  const [{ sessions }, { plugins }] = await Promise.all([ask('/api/sessions', token), ask('/api/plugins', token)]);
  fill('sessions', sessions.map(({ title, id, isRunning }) => (title || id) + (isRunning ? ' (running)' : '')));
  fill('plugins', plugins.map(({ id, state, tools }) => id + ': ' + state + ', ' + (tools.join(', ') || 'no tools')));
  document.getElementById('own').hidden = false;
}

const code = location.hash.slice(1);
if (code !== '') {
  history.replaceState(null, '', '/');
  open(code).catch((error) => { note.textContent = error.message; });
}
`;

export const PAGE_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.1rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; }
dd { margin: 0; }
li { overflow-wrap: anywhere; }
code { font-size: 0.9em; }
`;

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
