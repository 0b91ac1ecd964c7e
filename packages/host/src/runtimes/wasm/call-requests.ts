import { isJsonObject } from '@toolpost/protocol';
import type { KeyValueStore } from '@toolpost/sdk';
import type { RuntimeCallContext } from '../runtime.ts';
import { LinkRefusal } from './host-link.ts';
import type { InstanceService } from './instance-service.ts';

/** A value and its key, as text. */
const MAX_STORED_CHARS = 4 * 1024 * 1024;

type Handler = InstanceService['handlers'][string];

/** What a guest may ask of the call that runs in it: its plugin's storage, and the session's user. */
export function createCallRequests(): InstanceService {
  return {
    handlers: {
      'storage-get': duringCall(async (payload, call) => {
        const value = await storeOf(payload, call).get(textOf(payload, 'key'));
        return value === undefined ? undefined : JSON.stringify(value);
      }),
      'storage-set': duringCall(async (payload, call) => {
        await storeOf(payload, call).set(textOf(payload, 'key'), parsedValue(textOf(payload, 'value')));
      }),
      'storage-delete': duringCall(async (payload, call) => {
        await storeOf(payload, call).delete(textOf(payload, 'key'));
      }),
      'storage-keys': duringCall(async (payload, call) => storeOf(payload, call).keys(textOf(payload, 'prefix'))),
      ask: duringCall(async (payload, call) => {
        const schema = isJsonObject(payload) ? payload.schema : undefined;
        if (!isJsonObject(schema)) throw new LinkRefusal('ask is refused: the schema is no object');
        return call.ask({ message: textOf(payload, 'message'), schema });
      }),
    },
    async close() {},
  };
}

function duringCall(work: (payload: unknown, call: RuntimeCallContext) => Promise<unknown>): Handler {
  return async (payload, call) => {
    if (!call) throw new LinkRefusal('refused: no call is running');
    return work(payload, call);
  };
}

function storeOf(payload: unknown, { storage }: RuntimeCallContext): KeyValueStore {
  return isJsonObject(payload) && payload.shared === true ? storage.shared : storage;
}

function textOf(payload: unknown, field: string): string {
  const value = isJsonObject(payload) ? payload[field] : undefined;
  if (typeof value !== 'string') throw new LinkRefusal(`refused: the ${field} is no text`);
  if (value.length > MAX_STORED_CHARS) throw new LinkRefusal(`refused: the ${field} is longer than 4 Mi characters`);
  return value;
}

function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LinkRefusal('storage is refused: the value is no JSON');
  }
}
