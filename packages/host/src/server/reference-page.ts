import { ERROR_CODES } from '@toolpost/protocol';
import { escapeHtml } from './page.ts';
import type { Route } from './route.ts';

/** Every request that the server answers, for people; `/openapi.json` says the same to programs, and in full. */
export function renderReference(routes: readonly Route[]): string {
  const tags = [...Map.groupBy(routes, ({ tag }) => tag)];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toolpost: requests</title>
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main>
<h1>Requests</h1>
<p>Send <code>Authorization: Bearer TOKEN</code> with each that is not marked as open. Bodies are JSON; what they hold is in
<a href="/openapi.json">the OpenAPI document</a>. What fails is answered as <code>application/problem+json</code>, with a
<code>code</code> and a <code>detail</code> that says what to do.</p>
${tags.map(([tag, some]) => `<h2>${escapeHtml(tag)}</h2>\n<dl>\n${some.map(describe).join('')}</dl>`).join('\n')}
<h2>codes</h2>
<dl>
${Object.entries(ERROR_CODES)
  .map(([code, { meaning, remedy }]) => `<dt><code>${code}</code></dt><dd>${escapeHtml(`${meaning} ${remedy}`)}</dd>\n`)
  .join('')}</dl>
</main>
</body>
</html>
`;
}

function describe({ method, path, summary, isOpen, errors = [] }: Route): string {
  const open = isOpen ? ' (open)' : '';
  const fails = errors.length === 0 ? '' : ` <small>${errors.join(', ')}</small>`;
  return `<dt><code>${method.toUpperCase()} ${escapeHtml(path)}</code>${open}</dt><dd>${escapeHtml(summary)}${fails}</dd>\n`;
}
