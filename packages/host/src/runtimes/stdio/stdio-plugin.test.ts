import { HostError } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import { loadTestPlugin } from '../../../test/load-test-plugin.ts';
import { call, callIn, closeAfterEach, errorOf, load, never } from '../../../test/stdio-plugin-calls.ts';
import { isAlive } from '../../processes/process-identity.ts';
import type { HookEvent } from '../runtime.ts';
import { createTestCallContext } from '../test-contexts.ts';

closeAfterEach();

const hookEvent: HookEvent = {
  event: 'PreToolUse',
  toolName: 't',
  toolInput: '{}',
  session: { id: '', channel: '', chatId: '', tenant: '', user: '' },
};

describe('a start that fails', () => {
  const failure = async (...args: Parameters<typeof loadTestPlugin>): Promise<HostError> => {
    const error = await errorOf(loadTestPlugin(...args));
    if (!(error instanceof HostError)) throw error;
    return error;
  };

  it('quotes status, last words and command of a plugin that ends, and says what to do', async () => {
    const error = await failure('exits-at-start');
    expect(error.code).toBe('PLUGIN_EXITED');
    expect(error.message).toContain('exited with status 1');
    expect(error.message).toContain("  ModuleNotFoundError: No module named 'requests'");
    expect(error.message).toContain('Command: python3 main.py');
    expect(error.message).toContain('Install the Python module requests');
  });

  it('is bounded by startTimeout when the plugin is silent, and leaves nothing', async () => {
    const error = await failure('never-answers', {
      executable: 'sh',
      args: ['-c', 'echo $$ >&2; sleep 300'],
      startTimeoutMs: 150,
    });
    expect(error.code).toBe('PLUGIN_LOAD_FAILED');
    expect(error.message).toMatch(
      /did not answer activate within 150ms \(startTimeout in its manifest\)\. Its last lines/,
    );
    expect(isAlive(Number(error.message.trim().split('\n').at(-1)))).toBe(false);
  });

  it('names a program that is missing and a manifest without one', async () => {
    expect((await failure('never-answers', { executable: 'no-such-program-17' })).message).toContain(
      'no program of this name',
    );
    const error = await failure('conformance-v1', { entry: '  ' });
    expect(error.message).toContain('neither an executable nor an entry');
  });

  it.each([
    ['{"error":"no licence"}', 'PLUGIN_LOAD_FAILED', 'it refused to start: no licence'],
    ['{"tools":5}', 'PROTOCOL_MISMATCH', 'tools must be a list, got 5'],
    ['{"tools":[],"protocolVersion":3}', 'PROTOCOL_MISMATCH', 'protocolVersion must be 1 or 2, got 3'],
    ['{"result":{"tools":[]}}', 'PROTOCOL_MISMATCH', 'its answer to activate has tools inside "result"'],
    ['{"result":{"tool":[]}}', 'PROTOCOL_MISMATCH', 'its answer to activate has tools inside "result"'],
    ['{"protocolVersion":2,"tool":[]}', 'PROTOCOL_MISMATCH', 'unknown field "tool": did you mean "tools"?'],
    ['{"tools":[],"hook":[]}', 'PROTOCOL_MISMATCH', 'unknown field "hook": did you mean "hooks"?'],
  ])('names what is wrong with the answer %s', async (answer, code, text) => {
    const error = await failure('never-answers', { args: ['-c', `read line; echo '${answer}'; sleep 300`] });
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
  });

  it.each([
    ['does not end', 'sleep 300', 'PLUGIN_LOAD_FAILED'],
    ['ends', 'exit 3', 'PLUGIN_EXITED'],
  ])('quotes what was ignored on stdout when the answer never came and the process %s', async (_how, end, code) => {
    const lines = `read l; echo '{"tool":[]}'; echo '{'; for i in 1 2 3 4 5 6 7; do echo "line $i"; done`;
    const error = await failure('never-answers', { args: ['-c', `${lines}; ${end}`], startTimeoutMs: 300 });
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/ignored, as it is no answer:\n {2}\{"tool":\[\]\}\n {2}"\{"\n {2}"line 1"\n/);
    expect(error.message).toMatch(/"line 3"\n {2}and 4 more\nExpected: .*\{"tools":.*Its log is .*never-answers\.log/);
  });

  it('does not come of JSON that is no answer, of which a misnamed one is warned about at once', async () => {
    const lines = `read l; echo '{"level":"info"}'; echo '{"tool":[]}'; echo '{"tools":[{"name":"t"}],"extra":1}'`;
    const { plugin, context } = await load('never-answers', { args: ['-c', `${lines}; read l`] });
    expect(plugin.tools.map(({ name }) => name)).toEqual(['t']);
    expect(context.logged.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message: expect.stringMatching(/\{"tool":\[\]\}; as the answer it has an unknown field "tool"/),
      },
    ]);
  });

  it('names a first line that is too long', async () => {
    const error = await failure('never-answers', {
      args: ['-c', 'read l; printf "%02000d" 1; sleep 300'],
      maxLineBytes: 1000,
    });
    expect(error.message).toContain('wrote a line longer than its limit of 1000 bytes');
  });
});

describe('a process that ends in the middle', () => {
  it('rejects its call with status, last words and command', async () => {
    const { plugin, context } = await load('exits-mid-call');
    const error = await errorOf(call(plugin));
    expect(error.name).toBe('PluginCrash');
    expect(error.message).toMatch(
      /^The plugin exits-mid-call exited with status 7\.\n[\s\S]*the tape is torn\nCommand: sh main.sh\n/,
    );
    expect(context.changes).toEqual([{ state: 'stopped', reason: error.message, isKilled: false }]);
    expect(plugin.isReady).toBe(false);
  });

  it('names the signal that ended it', async () => {
    const { plugin } = await load('exits-mid-call');
    expect((await errorOf(call(plugin, { how: 'signal' }))).message).toContain('was ended by SIGTERM');
  });

  it('does not lose an answer that was written before the end', async () => {
    const { plugin } = await load('exits-mid-call');
    expect(await call(plugin, { how: 'answer' })).toBe('the last word');
  });

  it('starts again at the next call, at once the first time and then with growing delays', async () => {
    const { plugin } = await load('exits-mid-call');
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      await errorOf(call(plugin));
      const before = performance.now();
      expect(await call(plugin, { how: 'stay' })).toBe('still here');
      times.push(performance.now() - before);
    }
    expect(times[0]).toBeLessThan(Number(times[2]));
    expect(times[1]).toBeGreaterThan(200);
    expect(times[2]).toBeGreaterThan(450);
  });

  it('counts as ended when it closes its output and runs on', async () => {
    const { plugin } = await load('closes-a-pipe');
    expect((await errorOf(call(plugin, { fd: 1 }))).message).toMatch(
      /closed its standard input or output.*\n.*\n {2}closing\n/,
    );
    expect(plugin.isReady).toBe(false);
  });

  it('counts as ended when it closes its input and runs on, as the next write shows', async () => {
    const { plugin } = await load('closes-a-pipe');
    const context = createTestCallContext({ fd: 0 });
    const first = errorOf(callIn(plugin, context));
    await expect.poll(() => context.outputs).toHaveLength(1);
    const second = errorOf(call(plugin, { fd: 0 }));
    for (const error of [await first, await second])
      expect(error.message).toContain('closed its standard input or output');
  });

  it('reports the tools that changed with a new start', async () => {
    const { plugin, context } = await load('new-tools-each-start');
    const [before] = plugin.tools;
    await errorOf(call(plugin));
    await plugin.ready();
    expect(plugin.tools[0]?.name).not.toBe(before?.name);
    expect(context.changes.map(({ state }) => state)).toEqual(['stopped', 'tools-changed']);
  });
});

describe('a call that is given up', () => {
  it('ends a version 1 process with all that it started', async () => {
    const { plugin } = await load('never-answers');
    const context = createTestCallContext({});
    const pending = errorOf(callIn(plugin, context));
    context.abort('timed-out');
    expect(plugin.isReady).toBe(false);
    expect((await pending).message).toBe(
      'The plugin never-answers was ended because never_answers ran past its deadline.',
    );
    await plugin.ready();
    expect(plugin.isReady).toBe(true);
  });

  it('ends a version 2 process that does not heed the cancel, and the neighbours are told why', async () => {
    const { plugin } = await load('stubborn');
    const pid = Number(await call(plugin, {}, 'pid'));
    const context = createTestCallContext({});
    const [pending, neighbour] = [errorOf(callIn(plugin, context, 'hold')), errorOf(call(plugin, {}, 'hold'))];
    context.abort('cancelled');
    expect((await pending).message).toContain('was ended because hold was cancelled and did not stop');
    expect((await neighbour).message).toContain('was ended because hold was cancelled and did not stop');
    await plugin.ready();
    expect(isAlive(pid)).toBe(false);
    expect(Number(await call(plugin, {}, 'pid'))).not.toBe(pid);
  });

  it('is never sent when it was aborted before its turn', async () => {
    const { plugin } = await load('conformance-v1');
    const first = call(plugin, { ms: 100, tag: 'first' }, 'sleep');
    const context = createTestCallContext({ text: 'second' });
    const second = errorOf(callIn(plugin, context, 'crash'));
    context.abort('cancelled');
    expect(await first).toBe('first');
    expect((await second).message).toBe('given up before it was sent');
    expect(await call(plugin, { text: 'third' }, 'echo')).toBe('third');
  });

  it('also ends a hook that never answers', async () => {
    const { plugin } = await load('never-answers');
    const controller = new AbortController();
    const pending = errorOf(plugin.runHook(hookEvent, controller.signal));
    await expect.poll(() => plugin.isReady).toBe(true);
    controller.abort();
    expect((await pending).message).toContain('hook PreToolUse ran past its deadline');
  });
});

describe('version 1', () => {
  it('lets hooks and calls take turns on the one place in flight', async () => {
    const { plugin } = await load('conformance-v1');
    expect(plugin.maxConcurrentCalls).toBe(1);
    const results = await Promise.all([
      call(plugin, { ms: 50, tag: 'a' }, 'sleep'),
      plugin.runHook({ ...hookEvent, toolInput: 'snake' }, never),
      call(plugin, { text: 'b' }, 'echo'),
      plugin.runHook(hookEvent, never),
    ]);
    expect(results).toEqual(['a', { decision: 'deny', message: 'no snakes here' }, 'b', { decision: 'allow' }]);
  });

  it('sends what waited to the next process when the one before is ended', async () => {
    const { plugin } = await load('conformance-v1');
    const context = createTestCallContext({ ms: 60_000, tag: 'x' });
    const stuck = errorOf(callIn(plugin, context, 'sleep'));
    const waiting = plugin.runHook(hookEvent, never);
    context.abort('timed-out');
    expect((await stuck).message).toContain('ran past its deadline');
    expect(await waiting).toEqual({ decision: 'allow' });
  });

  it('survives a flood on stderr, which goes to the log', async () => {
    const { plugin } = await load('floods-stderr');
    expect(await call(plugin)).toBe('survived');
  });
});
