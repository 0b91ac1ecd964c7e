import { App } from '@modelcontextprotocol/ext-apps';

/** A page by the official package: it shows its call, calls a tool of its server, opens a link, says something. */
const app = new App({ name: 'clock', version: '1.0.0' }, {});
const say = (id: string, words: string) => {
  const place = document.getElementById(id);
  if (place) place.textContent = words;
};
app.addEventListener('toolinput', (params) => say('input', `asked ${JSON.stringify(params.arguments)}`));
app.addEventListener('toolresult', (params) => say('result', `zone ${JSON.stringify(params.structuredContent)}`));
app.addEventListener('hostcontextchanged', ({ theme }) => say('theme', `theme ${theme}`));
const onClick = (id: string, work: () => Promise<string>) =>
  document.getElementById(id)?.addEventListener('click', () => {
    work().then(
      (words) => say('answer', words),
      (error: Error) => say('answer', `failed: ${error.message}`),
    );
  });
onClick('set', async () => JSON.stringify(await app.callServerTool({ name: 'set', arguments: { to: 'one' } })));
onClick('steal', async () => JSON.stringify(await app.callServerTool({ name: 'deploy', arguments: {} })));
onClick('read', async () => JSON.stringify(await app.readServerResource({ uri: 'clock://note' })));
onClick('link', async () => JSON.stringify(await app.openLink({ url: 'https://docs.example/clock' })));
onClick('say', async () =>
  JSON.stringify(await app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'set it, please' }] })),
);
onClick('flood', async () => {
  for (let at = 0; at < 5_000; at++)
    parent.postMessage({ jsonrpc: '2.0', id: `f${at}`, method: 'ping', params: {} }, '*');
  return 'flooded';
});
onClick('fetch', async () => {
  const answer = await fetch('https://api.example/time');
  return `fetched ${answer.status}`;
});
app.connect().then(
  () => {
    say('theme', `theme ${app.getHostContext()?.theme}`);
    // Nobody has done anything in it yet.
    app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'said by itself' }] }).then(
      () => say('unasked', 'was heard'),
      (error: Error) => say('unasked', error.message),
    );
  },
  (error: Error) => say('answer', `not connected: ${error.message}`),
);
