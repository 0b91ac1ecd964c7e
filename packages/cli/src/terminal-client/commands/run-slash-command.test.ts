import { describe, expect, it } from 'vitest';
import { createPromptCompleter } from './complete-prompt.ts';
import { listedConversation } from './fixtures/listed-conversation.ts';
import { runSlashCommand } from './run-slash-command.ts';
import type { WaitingAction } from './slash-command.ts';
import { SLASH_COMMANDS } from './slash-commands.ts';

function chat(waiting: readonly WaitingAction[] = []) {
  const { conversation, done } = listedConversation();
  const scene = { conversation, width: 80, abortSignal: new AbortController().signal, waitingActions: () => waiting };
  const run = (line: string) => runSlashCommand(line, scene);
  const said = async (line: string) => {
    const outcome = await run(line);
    return outcome?.kind === 'said' ? outcome.text : outcome;
  };
  return { conversation, done, run, said };
}

describe('a command of the chat', () => {
  it.each(SLASH_COMMANDS.map(({ name }) => name))('/%s is listed by /help', async (name) => {
    expect(await chat().said('/help')).toContain(`  /${name}`);
  });

  it('is understood in any case, and under its other name', async () => {
    const { run, said } = chat();
    expect([await run('/exit'), await run('/QUIT')]).toEqual([{ kind: 'leave' }, { kind: 'leave' }]);
    expect(await said('/?')).toBe(await said('/help'));
  });

  it('shows what it lists without anything that drives the terminal', async () => {
    const { said } = chat();
    expect(await said('/tools')).toBe('stamp  p  Stamps.');
    expect(await said('/plugins')).toBe('✗ p 1.0.0  stdio, error\n    it ended');
    expect(await said('/reload')).toBe('New: new\nGone: old\n✗ p does not work: it ended');
    expect(await said('/sessions')).toMatch(/^session-one {2}.* {2}Hi\n/);
    expect(await said('/why a\u001b[2Jb')).not.toContain('\u001b');
    expect(await said('/why stmp')).toContain('Near names: stamp.');
    expect(await said('/why stmp')).toMatch(/\/reload finds what is new since\.$/);
  });

  it('is whole on a narrow screen: what goes on stands below its beginning', async () => {
    const { conversation } = listedConversation();
    const plugin = { id: 'p', version: '1.0.0', runtime: 'stdio', state: 'active' as const, tools: ['stamp'] };
    const dir = `/home/somebody/${'a-folder/'.repeat(3)}p`;
    const narrow = Object.assign(Object.create(conversation), { plugins: async () => [{ ...plugin, dir }] });
    const saidIn = async (line: string, width: number) => {
      const abortSignal = new AbortController().signal;
      const scene = { conversation: narrow, width, abortSignal, waitingActions: () => [] };
      const outcome = await runSlashCommand(line, scene);
      return outcome?.kind === 'said' ? outcome.text.split('\n') : [];
    };
    expect(await saidIn('/plugins', 50)).toEqual(['✓ p 1.0.0  stdio, active', `    ${dir}`, '    stamp']);
    const help = await saidIn('/help', 50);
    for (const line of help) expect(line.length).toBeLessThanOrEqual(50);
    expect(help.join(' ').replaceAll(/\s+/g, ' ')).toContain('so that the model has room again /model');
    expect(help.join('')).not.toContain('…');
  });

  it('goes to a new session, another one, and a copy', async () => {
    const { conversation, run } = chat();
    expect((await run('/new'))?.kind).toBe('switched');
    expect(conversation.id).toBe('session-new');
    expect((await run('/resume session-two'))?.kind).toBe('switched');
    expect(conversation.id).toBe('session-two');
    expect(await run('/fork')).toMatchObject({ kind: 'switched', text: expect.stringContaining('session-two') });
    expect(conversation.id).toBe('session-two-copy');
  });

  it('shows the model and those there are, and takes another one that can be used', async () => {
    const { conversation, said, run } = chat();
    expect(await said('/model')).toMatch(/^The model is demo\.[\s\S]*openai:NAME +its key is not set/);
    expect(await said('/model demo-2')).toBe('The model is demo-2 from the next prompt on, in this session.');
    await expect(run('/model openai:x')).rejects.toThrow('set OPENAI_API_KEY');
    expect(conversation.model).toBe('demo-2');
  });

  it('does to the session what it says', async () => {
    const { done, said } = chat();
    await said('/rename A new  title ');
    await said('/clear');
    expect(await said('/compact')).toBe('The conversation stays as it is: there is nothing to sum up');
    expect(done).toEqual(['rename A new  title', 'clear', 'compact']);
  });

  it('sends on the newest action of an interface, or that of a number, and says which there are', async () => {
    const waiting = [1, 3].map((number) => ({ actionId: `action-${number}`, number }));
    const { run, said } = chat(waiting);
    expect(await run('/send')).toEqual({ kind: 'send', actionId: 'action-3' });
    expect(await run('/send 1')).toEqual({ kind: 'send', actionId: 'action-1' });
    expect(await said('/send 2')).toBe('Nothing with the number 2 waits to be sent on. There is /send 1, /send 3.');
    expect(await chat().said('/send')).toBe('No interface waits for something to be sent on.');
  });

  it('offers no command that goes on later where sessions are not kept', async () => {
    const { conversation } = listedConversation();
    const unkept = Object.assign(Object.create(conversation), { resumeCommand: undefined });
    const scene = {
      conversation: unkept,
      width: 80,
      abortSignal: new AbortController().signal,
      waitingActions: () => [],
    };
    expect(await runSlashCommand('/sessions', scene)).toMatchObject({
      text: expect.stringMatching(/Go on with one: \/resume ID\. None is kept when you leave$/),
    });
  });

  it('says what it needs, or does not take', async () => {
    const { said } = chat();
    expect(await said('/why')).toBe('/why needs TOOL: /why TOOL');
    expect(await said('/tools please')).toBe('/tools takes nothing behind it.');
  });

  it('that there is not says what is near; what is no command goes to the model', async () => {
    const { said, run } = chat();
    expect(await said('/tool')).toContain('did you mean /tools');
    expect(await said('/modle gpt')).toContain('did you mean /model');
    expect(await said('/stamp')).toBe('There is no command /stamp: /help lists those there are');
    expect(await said('/')).toContain('/help lists');
    for (const line of ['/etc/hosts is odd', '/letters/one', '/xyzzy goes nowhere', 'a /tools', '/tools\nand more'])
      expect(await run(line)).toBe(undefined);
  });
});

describe('completion', () => {
  const complete = (before: string) => createPromptCompleter(listedConversation().conversation)(before);
  const texts = async (before: string) => (await complete(before))?.items.map(({ text }) => text);

  it('lists commands by what was typed, those that begin with it first', async () => {
    expect((await texts('/'))?.length).toBe(SLASH_COMMANDS.length);
    expect(await texts('/re')).toEqual(['/reload', '/resume', '/rename']);
    expect((await texts('/S'))?.[0]).toBe('/sessions');
    expect((await complete('/w'))?.items[0]).toMatchObject({ text: '/why', follows: 'word' });
    expect(await complete('hello /w')).toBe(undefined);
  });

  it('completes what a command takes', async () => {
    expect(await texts('/why st')).toEqual(['stamp']);
    expect(await texts('/resume ')).toEqual(['session-two']);
    expect((await complete('/model o'))?.items[0]).toMatchObject({ text: 'openai:', follows: 'rest' });
    expect(await complete('/tools x')).toBe(undefined);
  });

  it('completes files behind an @, in quotes where their names have blanks', async () => {
    expect(await complete('look at @src')).toEqual({ typed: '@src', items: [{ text: '@src/a.ts' }], isCommand: false });
    expect(await texts('@my')).toEqual(['@"my file.txt"']);
    expect(await complete('@"my fi')).toMatchObject({ typed: '@"my fi', items: [{ text: '@"my file.txt"' }] });
    expect(await complete('me@src')).toBe(undefined);
  });

  it('says that files of another machine are not listed', async () => {
    const { findFiles: _none, ...conversation } = listedConversation().conversation;
    const found = await createPromptCompleter({ ...conversation, id: 's', model: 'demo' })('look at @src');
    expect(found).toMatchObject({ typed: '@src', items: [], note: expect.stringContaining('machine of the server') });
  });
});
