import type { ByteMask } from '../runtimes/runtime.ts';
import { createRedactor } from './redactor.ts';

const NOTHING = new Uint8Array(0);
const PASSES_ALL: ByteMask = { push: (chunk) => chunk, end: () => NOTHING };

/**
 * The redactor for what is not known to be text and comes in pieces, between which a secret may be torn: what could be
 * the start of one is kept for the next piece. Each byte is taken for one character, so that all that is no secret
 * comes out as it went in. A mask looks for what is a secret when it is made.
 */
export function createByteMasks(secretsOf: () => Iterable<string>): () => ByteMask {
  return () => {
    const redact = createRedactor([...secretsOf()].map((secret) => Buffer.from(secret).toString('latin1')));
    if (!redact.isActive) return PASSES_ALL;
    let held = '';
    return {
      push(chunk) {
        const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        const whole = held + bytes.toString('latin1');
        const end = redact.holdBack(whole);
        held = whole.slice(end);
        return Buffer.from(redact(whole.slice(0, end)), 'latin1');
      },
      end() {
        const rest = Buffer.from(redact(held), 'latin1');
        held = '';
        return rest;
      },
    };
  };
}
