import type { JsonObject, Outcome } from '@toolpost/protocol';
import type { Repair } from '../call-path/repair-arguments.ts';

/** What is kept of one call: enough to see what a model sent, what ran, who allowed it and how it ended. */
export interface JournalEntry {
  /** ISO 8601, UTC, of the call's start. */
  at: string;
  id: string;
  session: string;
  channel: string;
  tenant?: string;
  user?: string;
  tool: string;
  plugin: string;
  /** The model's raw text, cut at 64 KiB; then `argumentsBytes` is the length of the whole. */
  arguments: string;
  argumentsBytes?: number;
  /** Present when repairs or hooks changed them. */
  finalArguments?: JsonObject;
  repairs?: readonly Repair[];
  /** In place of the two above where their JSON text is longer than 64 KiB. */
  finalArgumentsChars?: number;
  repairsChars?: number;
  hooks?: readonly string[];
  /** The rule or default that decided, and its decision. */
  decision?: string;
  rule?: string;
  outcome: Outcome;
  /** The text of a call that did not complete, cut at 2 KiB. */
  error?: string;
  /** Without `waitedMs`. */
  durationMs: number;
  /** Time in the queue of a limit, not counted into the deadline. */
  queuedMs?: number;
  /** Time in which it waited for a person. */
  waitedMs?: number;
  resultChars: number;
}
