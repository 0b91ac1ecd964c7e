import type { ContentBlock } from './content.ts';
import type { JsonObject } from './json.ts';

/** One call as a model makes it; `arguments` is its raw JSON text. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/**
 * How a call ended. A tool that the session cannot see is `not-found`; `denied` is for visible ones. A process
 * that exits or traps in the middle is `crashed`; an error that the tool itself reports is `failed`.
 */
export const OUTCOMES = [
  'completed',
  'failed',
  'invalid-input',
  'not-found',
  'denied',
  'timed-out',
  'cancelled',
  'crashed',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** What `call --json` prints and `tool-call-end` carries. `text` is the text blocks joined by LF. */
export interface CallRecord {
  id: string;
  name: string;
  /** The plugin that ran it; empty when no tool was found. */
  plugin: string;
  outcome: Outcome;
  isError: boolean;
  content: ContentBlock[];
  text: string;
  structuredContent?: JsonObject;
  metadata?: JsonObject;
  /** Without the time in which it waited for a person. */
  durationMs: number;
}
