export interface PageFacts {
  readonly version: string;
  readonly startedAt: number;
  readonly openTurns: number;
  readonly model: string;
  readonly url: string;
}

/**
 * The page before there is a client for it: what runs, and where to go on. It loads without a token and tells nothing that
 * needs one; opened by a one-use link, its script shows the sessions and plugins of that token.
 */
export function renderPage({ version, startedAt, openTurns, model, url }: PageFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toolpost ${escapeHtml(version)}</title>
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<main>
<header>
<h1>Toolpost <small>${escapeHtml(version)}</small></h1>
<p>A tool host for AI agents. It runs.</p>
</header>
<dl class="facts">
<div><dt>Model</dt><dd>${escapeHtml(model)}</dd></div>
<div><dt>Turns that run</dt><dd>${openTurns}</dd></div>
<div><dt>Since</dt><dd><time datetime="${new Date(startedAt).toISOString()}">${new Date(startedAt).toUTCString()}</time></dd></div>
</dl>
<p id="note" role="status"></p>
<section id="own" hidden>
<h2>Latest sessions</h2>
<ul id="sessions" class="rows"></ul>
<h2>Plugins</h2>
<ul id="plugins" class="rows"></ul>
</section>
<section>
<h2>Go on from here</h2>
<ul class="rows">
<li><a href="/docs">The requests</a><span>what this server answers, and what each error code means</span></li>
<li><a href="/openapi.json">The OpenAPI document</a><span>the same for programs</span></li>
<li><a href="/healthz">Health</a><span>for whatever watches over the server</span></li>
</ul>
<p>Requests below <code>/api</code> need a token. The command that started the server printed a link that opens this page
with it, once, and says where the token is:</p>
<pre><code>curl -H "Authorization: Bearer $TOKEN" ${escapeHtml(url)}/api/status</code></pre>
</section>
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

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

// Rows of a name, whether it is at work, and more about it.
function fill(id, rows, none) {
  const items = rows.map(([name, state, more, isOn]) => {
    const item = document.createElement('li');
    item.append(element('b', name), element('i', state, isOn ? 'on' : ''), element('span', more));
    return item;
  });
  document.getElementById(id).replaceChildren(...(items.length > 0 ? items : [element('li', none)]));
}

const STATES = { discovered: 'starts when it is needed', active: 'active', inactive: 'inactive', error: 'does not work' };

const toSessionRow = ({ title, id, isRunning, channel, updatedAt }) =>
  [title || 'Untitled', isRunning ? 'running' : channel, new Date(updatedAt).toLocaleString() + ' · ' + id, isRunning];

const toPluginRow = ({ id, state, tools, error }) =>
  [id, STATES[state] || state, error || tools.join(', ') || 'no tools are known yet', state === 'active'];

async function open(code) {
  const { token } = await ask('/api/login', undefined, { code });
  const [{ sessions }, { plugins }] = await Promise.all([ask('/api/sessions?limit=10', token), ask('/api/plugins', token)]);
  fill('sessions', sessions.map(toSessionRow), 'No session yet. "toolpost chat" begins one, and so does POST /api/sessions.');
  fill('plugins', plugins.map(toPluginRow), 'No plugin.');
  document.getElementById('own').hidden = false;
}

const code = location.hash.slice(1);
if (code !== '') {
  history.replaceState(null, '', '/');
  open(code).catch((error) => { note.textContent = error.message; });
}
`;

export const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --line: light-dark(#dfe3e8, #30363d);
  --soft: light-dark(#59636e, #9198a1);
  --card: light-dark(#f6f8fa, #161b22);
  --link: light-dark(#0550ae, #79b8ff);
  --on: light-dark(#116329, #56d364);
  font: 15px/1.55 system-ui, sans-serif;
}
body { margin: 0; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #e6edf3); }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; }
h1 { margin: 0; font-size: 1.9rem; letter-spacing: -0.02em; }
h1 small { font-size: 0.9rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
h2 { margin: 2rem 0 0.6rem; font-size: 1.05rem; }
header p { margin: 0.1rem 0 1.4rem; color: var(--soft); }
a { color: var(--link); }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.7rem 1rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
dt { margin-top: 0.7rem; }
dd { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
.facts { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 0; }
.facts div { flex: 1 1 9rem; padding: 0.6rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.facts dt { margin: 0; font-size: 0.8rem; color: var(--soft); }
.facts dd { color: inherit; font-weight: 600; }
.rows { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 8px; }
.rows li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; padding: 0.55rem 1rem; overflow-wrap: anywhere; }
.rows li + li { border-top: 1px solid var(--line); }
.rows b { font-weight: 600; }
.rows i { font-size: 0.8rem; font-style: normal; color: var(--soft); }
.rows i.on { color: var(--on); }
.rows span { flex: 1 0 100%; min-width: 0; font-size: 0.87rem; color: var(--soft); }
#note:empty { display: none; }
#note { padding: 0.6rem 1rem; background: var(--card); border-left: 3px solid var(--link); }
`;

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
