import { z } from 'zod';

/** Values that several requests and answers of the HTTP API have. */
export const MAX_NAME_CHARS = 200;
export const name = z.string().min(1).max(MAX_NAME_CHARS);
export const jsonObject = z.record(z.string(), z.unknown());
/** What a person does with a tool's form, in MCP's words for elicitation. */
export const FORM_ACTIONS = ['accept', 'decline', 'cancel'] as const;
export const time = z.int().min(0).describe('milliseconds since 1970');
