import type { JsonObject } from '@toolpost/protocol';

/** What a page shows of a call, from its first argument to its result. */
export interface AppView {
  /** `isWhole`: no more of the arguments comes. */
  showArguments(given: JsonObject, isWhole: boolean): void;
  /** Of a call that failed, was refused or ran out of time too: then what its arguments drew counts for nothing. */
  showResult(result: JsonObject): void;
  /** The interface that an action has put in the place of the first. */
  showCode?(code: string): void;
}
