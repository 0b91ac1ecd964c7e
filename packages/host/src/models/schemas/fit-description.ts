import { cutText } from '../../builtin/cut-text.ts';
import { FAMILY_FACTS, type ProviderFamily } from './provider-family.ts';

/** What `cutText` adds of its own. */
const NOTE_CHARACTERS = 40;

/** A tool's description as one family of providers takes it. */
export interface FittedDescription {
  /** The end of one that was cut says so. */
  readonly text: string;
  /** What a reader should know of the difference, as a phrase. */
  readonly change?: string;
}

/** One that is longer than the provider takes is cut: sent whole, it would fail every request. */
export function fitDescription(description: string, family: ProviderFamily): FittedDescription {
  const { maxDescription } = FAMILY_FACTS[family];
  if (maxDescription === undefined || description.length <= maxDescription) return { text: description };
  const change = `its description of ${description.length} characters is cut: at most ${maxDescription} are taken`;
  return { text: cutText(description, maxDescription - NOTE_CHARACTERS), change };
}
