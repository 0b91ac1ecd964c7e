/** Why a question is taken back: another client of the session answered it. */
export class AnsweredElsewhere extends Error {
  override readonly name = 'AnsweredElsewhere';

  constructor(answer: string, by: string) {
    super(`answered elsewhere: ${answer}, by ${by}`);
  }
}
