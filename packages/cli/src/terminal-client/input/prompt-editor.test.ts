import { describe, expect, it } from 'vitest';
import { textOf } from './cells.ts';
import type { Completer, Suggestions } from './completer.ts';
import { alt, ctrl, keyOf, named, typed } from './fixtures/keys.ts';
import { createInputHistory } from './input-history.ts';
import { createPromptEditor, type PromptEditor } from './prompt-editor.ts';

const nothing: Completer = async () => undefined;

function editorWith({ complete = nothing, entries = [] as string[], kept = [] as string[] } = {}) {
  return createPromptEditor({ history: createInputHistory(entries, (text) => kept.push(text)), complete });
}

const written = ({ view }: PromptEditor) => textOf(view.text.cells);

/** The menu, when what was asked for is there. */
async function menuOf(editor: PromptEditor) {
  await new Promise((resolve) => setImmediate(resolve));
  return editor.view.menu;
}

describe('the prompt', () => {
  it('sends with Enter, and begins anew; an empty one is not sent', () => {
    const kept: string[] = [];
    const editor = editorWith({ kept });
    expect(editor.press(named('enter'))).toBe(undefined);
    editor.press(typed('  '));
    expect(editor.press(named('enter'))).toBe(undefined);
    editor.press(typed('hello'));
    expect(editor.press(named('enter'))).toEqual({ kind: 'send', text: '  hello' });
    expect([written(editor), kept]).toEqual(['', ['  hello']]);
  });

  it.each([
    ['Alt-Enter', keyOf({ name: 'enter', hasAlt: true })],
    ['Shift-Enter', keyOf({ name: 'enter', hasShift: true })],
    ['Ctrl-J', typed('\n')],
    ['Ctrl-J as a key of its own', ctrl('j')],
  ])('takes %s as a new line', (_, key) => {
    const editor = editorWith();
    for (const one of [typed('a'), key, typed('b')]) editor.press(one);
    expect(editor.press(named('enter'))).toEqual({ kind: 'send', text: 'a\nb' });
  });

  it('takes a backslash at the end of a line, and Enter, as a new line; elsewhere it is a character', () => {
    const editor = editorWith();
    editor.press(typed('a\\'));
    expect(editor.press(named('enter'))).toBe(undefined);
    editor.press(typed('b\\c'));
    expect(editor.press(named('enter'))).toEqual({ kind: 'send', text: 'a\nb\\c' });
  });

  it('folds a long paste, steps over it at once, and sends all of it', () => {
    const editor = editorWith();
    const long = Array.from({ length: 1234 }, (_, index) => `line ${index}`).join('\r\n');
    editor.press(typed('see: '));
    editor.paste(long);
    expect(editor.view.text.cells.at(-1)).toMatchObject({ lines: 1234 });
    editor.press(named('left'));
    editor.press(typed('> '));
    expect(editor.press(named('enter'))).toEqual({ kind: 'send', text: `see: > ${long.replaceAll('\r\n', '\n')}` });
    editor.paste(long);
    editor.press(named('backspace'));
    expect(written(editor)).toBe('');
  });

  it('keeps of a paste what can be written: no sequence, no control character, no half of a pair', () => {
    const editor = editorWith();
    editor.paste('a\u001b[31mred\u001b[0m\u0007\u0000\tb\r\nc👩\u200d👧\ud83d');
    expect(written(editor)).toBe('ared\tb\nc👩\u200d👧\ufffd');
  });

  it('stays fluid with a paste of 1 MB', () => {
    const editor = editorWith();
    editor.paste('x'.repeat(1_000_000));
    const startedAt = performance.now();
    for (let count = 0; count < 1000; count++) editor.press(typed('y'));
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(written(editor)).toHaveLength(1_001_000);
  });

  it('undoes step by step: what was typed in one go, a deletion, a paste', () => {
    const editor = editorWith();
    for (const char of 'one two') editor.press(typed(char));
    editor.press(ctrl('w'));
    editor.paste('pasted');
    const steps = [written(editor)];
    for (let step = 0; step < 4; step++) {
      editor.press(ctrl('_'));
      steps.push(written(editor));
    }
    expect(steps).toEqual(['one pasted', 'one ', 'one two', '', '']);
  });

  it('cuts and puts back: words, the start and the end of a line', () => {
    const editor = editorWith();
    editor.press(typed('one two-three\nfour'));
    editor.press(alt('b'));
    editor.press(ctrl('k'));
    expect(written(editor)).toBe('one two-three\n');
    editor.press(ctrl('y'));
    editor.press(named('up'));
    editor.press(named('end'));
    editor.press(keyOf({ name: 'backspace', hasAlt: true }));
    expect(written(editor)).toBe('one two-\nfour');
    editor.press(ctrl('u'));
    expect(written(editor)).toBe('\nfour');
  });

  it('tells what a key means beyond the text', () => {
    const editor = editorWith();
    expect(editor.press(ctrl('c'))).toEqual({ kind: 'interrupt' });
    expect(editor.press(ctrl('d'))).toEqual({ kind: 'end' });
    expect(editor.press(named('escape'))).toEqual({ kind: 'escape' });
    editor.press(typed('ab'));
    editor.press(named('left'));
    expect(editor.press(ctrl('d'))).toBe(undefined);
    expect(written(editor)).toBe('a');
    expect(editor.press(ctrl('c'))).toBe(undefined);
    expect(written(editor)).toBe('');
  });
});

describe('what was sent before', () => {
  it('comes back with Up at the first row and Down at the last, and the draft behind it', () => {
    const editor = editorWith({ entries: ['first', 'two\nrows'] });
    editor.press(typed('draft'));
    const seen: string[] = [];
    for (const key of ['up', 'up', 'up', 'up', 'down', 'down', 'down']) {
      editor.press(named(key));
      seen.push(written(editor));
    }
    expect(seen).toEqual(['two\nrows', 'two\nrows', 'first', 'first', 'two\nrows', 'draft', 'draft']);
  });

  it('is the newest again after one was sent, without one twice in a row', () => {
    const kept: string[] = [];
    const editor = editorWith({ entries: ['first'], kept });
    editor.press(named('up'));
    editor.press(named('enter'));
    expect(kept).toEqual([]);
    editor.press(typed('second'));
    editor.press(named('enter'));
    editor.press(named('up'));
    expect([written(editor), kept]).toEqual(['second', ['second']]);
  });
});

describe('the list of what may be meant', () => {
  const commands: Completer = async (before): Promise<Suggestions | undefined> => {
    if (!before.startsWith('/')) return undefined;
    const items = [{ text: '/tools' }, { text: '/why', follows: 'word' as const }, { text: '/exit' }];
    return { typed: before, items: items.filter(({ text }) => text.startsWith(before)), isCommand: true };
  };

  it('opens as one types, is gone through, and Tab puts in the chosen one', async () => {
    const editor = editorWith({ complete: commands });
    editor.press(typed('/'));
    expect((await menuOf(editor))?.items).toHaveLength(3);
    editor.press(named('up'));
    editor.press(named('up'));
    editor.press(named('tab'));
    expect(written(editor)).toBe('/why ');
    expect(editor.view.text.cursor).toBe(5);
  });

  it('Enter takes a command and sends it, or lets its argument be typed', async () => {
    const editor = editorWith({ complete: commands });
    editor.press(typed('/to'));
    await menuOf(editor);
    expect(editor.press(named('enter'))).toEqual({ kind: 'send', text: '/tools' });
    editor.press(typed('/w'));
    await menuOf(editor);
    expect(editor.press(named('enter'))).toBe(undefined);
    expect(written(editor)).toBe('/why ');
  });

  it('Esc closes it and leaves the text; a name that is whole is sent', async () => {
    const editor = editorWith({ complete: commands });
    editor.press(typed('/exit'));
    await menuOf(editor);
    expect(editor.press(named('escape'))).toBe(undefined);
    expect([written(editor), editor.view.menu]).toEqual(['/exit', undefined]);
    expect(editor.press(named('escape'))).toEqual({ kind: 'escape' });
    expect(editor.press(named('enter'))).toEqual({ kind: 'send', text: '/exit' });
  });

  it('an answer that comes late, or fails, is no answer to what is written now', async () => {
    const answers: ((found: Suggestions | undefined) => void)[] = [];
    const editor = editorWith({ complete: () => new Promise((resolve) => answers.push(resolve)) });
    editor.press(typed('a'));
    editor.press(typed('b'));
    answers[0]?.({ typed: 'a', items: [{ text: 'apple' }], isCommand: false });
    expect(await menuOf(editor)).toBe(undefined);
    answers[1]?.({ typed: 'ab', items: [{ text: 'abbey' }], isCommand: false });
    expect((await menuOf(editor))?.items).toEqual([{ text: 'abbey' }]);
    expect(await menuOf(failing())).toBe(undefined);
  });

  function failing(): PromptEditor {
    const editor = editorWith({ complete: () => Promise.reject(new Error('gone')) });
    editor.press(typed('/'));
    return editor;
  }
});
