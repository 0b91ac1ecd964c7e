import type { ApprovalRequest, FormRequest } from '@toolpost/host';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnsweredElsewhere } from '../../answered-elsewhere.ts';
import { createQuestionDesk, type QuestionDesk } from './question-desk.ts';

const session = { id: 's', tenant: '', channel: 'cli', chatId: 's', user: '', roots: [] };
const approval = (name: string): ApprovalRequest => ({
  ...{ approvalId: name, toolCallId: name, session, plugin: 'p', name, arguments: '{}', reason: 'it asks' },
  mayBeKept: true,
});
const form = (name: string, abortSignal: AbortSignal): FormRequest => ({
  ...{ formId: name, toolCallId: name, plugin: 'p', name, message: 'Who?', schema: {}, abortSignal },
});

let notices: string[] = [];
let desk: QuestionDesk;

beforeEach(() => {
  vi.useFakeTimers();
  notices = [];
  desk = createQuestionDesk((text) => notices.push(text));
});
afterEach(() => vi.useRealTimers());

const ask = (name: string, abortSignal?: AbortSignal) => desk.approve(approval(name), abortSignal);
const shownName = () => desk.view.question?.request.name;

function answerOnce(): void {
  const { question } = desk.view;
  if (question?.kind === 'approval') question.answer({ answer: 'once', by: 'terminal' });
}

describe('the questions of a chat', () => {
  it('come one after the other, in the order in which they were asked, with how many wait', async () => {
    const answers = [ask('one'), ask('two'), ask('three')];
    expect([shownName(), desk.view.waiting]).toEqual(['one', 2]);
    answerOnce();
    expect([shownName(), desk.view.waiting]).toEqual(['two', 1]);
    answerOnce();
    answerOnce();
    expect(desk.view.question).toBe(undefined);
    expect((await Promise.all(answers)).map(({ answer }) => answer)).toEqual(['once', 'once', 'once']);
  });

  it('take no keys before they were drawn and the keyboard was quiet, however many come behind', () => {
    void ask('one');
    vi.advanceTimersByTime(10_000);
    expect(desk.view.takesKeys).toBe(false);
    desk.drawn();
    vi.advanceTimersByTime(200);
    desk.keyPressed();
    void ask('two');
    vi.advanceTimersByTime(299);
    expect(desk.view.takesKeys).toBe(false);
    vi.advanceTimersByTime(1);
    expect(desk.view.takesKeys).toBe(true);
    void ask('three');
    expect([desk.view.takesKeys, desk.view.waiting]).toEqual([true, 2]);
    answerOnce();
    expect(desk.view.takesKeys).toBe(false);
    desk.drawn();
    vi.advanceTimersByTime(300);
    expect(desk.view.takesKeys).toBe(true);
  });

  it('are a no, and a cancelled form, when nobody waits for them any more', async () => {
    const end = new AbortController();
    const answers = [ask('one', end.signal), desk.ask({ message: 'Who?', schema: {} }, form('two', end.signal))];
    end.abort();
    expect(await Promise.all(answers)).toEqual([{ answer: 'no', by: 'terminal' }, { action: 'cancel' }]);
    expect([desk.view.question, notices]).toEqual([undefined, []]);
    expect(await ask('late', end.signal)).toEqual({ answer: 'no', by: 'terminal' });
  });

  it('are taken back when another client answers, and say so; the first answer counts', async () => {
    const end = new AbortController();
    const answer = ask('one', end.signal);
    void ask('two');
    end.abort(new AnsweredElsewhere('session', 'ann'));
    await answer;
    expect(notices).toEqual(['the question about one: answered elsewhere: session, by ann']);
    expect([shownName(), desk.view.waiting]).toEqual(['two', 0]);

    const own = new AbortController();
    const mine = ask('three', own.signal);
    answerOnce();
    answerOnce();
    own.abort(new AnsweredElsewhere('no', 'ann'));
    expect((await mine).answer).toBe('once');
    expect(notices).toHaveLength(1);
  });
});
