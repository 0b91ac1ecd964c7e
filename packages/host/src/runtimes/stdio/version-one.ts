import {
  HOST_METHODS,
  type HostMessage,
  type JsonObject,
  kindOfPluginMessage,
  quoteValue,
  readHookAnswer,
} from '@toolpost/protocol';
import type { AbortCause, PluginCrash } from '../runtime.ts';
import {
  type Dialogue,
  type DialogueProcess,
  hookParams,
  type InFlight,
  onAbortOf,
  readCallResult,
  readEnrichAnswer,
  readUiActionAnswer,
  settle,
} from './dialogue.ts';

/**
 * Version 1: no ids, so one request in flight, and the next answer is its answer. A request that is given up cannot be
 * told from the next one, so the process ends with it.
 */
export function createVersionOne(process: DialogueProcess): Dialogue {
  let inFlight: InFlight | undefined;

  const take = (): InFlight | undefined => {
    const request = inFlight;
    inFlight = undefined;
    return request;
  };

  const send = <T>(
    label: string,
    message: HostMessage,
    read: (message: JsonObject) => T,
    onAbort: OnAbort,
  ): Promise<T> => {
    return new Promise<T>((resolve, reject) => {
      const answer = (received: JsonObject): void => resolve(read(received));
      const request: InFlight = { label, answer, reject, stopListening: undefined };
      inFlight = request;
      process.write(message);
      request.stopListening = onAbort((cause) => {
        if (inFlight === request) process.kill(givenUp(label, cause));
      });
    });
  };

  return {
    maxConcurrentCalls: 1,
    call(tool, context) {
      const params = { toolName: tool.name, input: context.input };
      const onAbort: OnAbort = (listener) => context.onAbort(listener);
      return send(tool.name, { method: HOST_METHODS.executeTool, params }, readCallResult, onAbort);
    },
    hook(event, abortSignal) {
      const message = { method: HOST_METHODS.hook, params: hookParams(event) };
      const onAbort: OnAbort = (listener) => onAbortOf(abortSignal, () => listener('timed-out'));
      return send(`hook ${event.event}`, message, readHookAnswer, onAbort);
    },
    enrich(params, abortSignal) {
      const message = { method: HOST_METHODS.enrich, params };
      const onAbort: OnAbort = (listener) => onAbortOf(abortSignal, () => listener('timed-out'));
      return send(`enricher ${params.enricherName}`, message, readEnrichAnswer, onAbort);
    },
    uiAction(params, abortSignal) {
      const message = { method: HOST_METHODS.webUiAction, params };
      const onAbort: OnAbort = (listener) => onAbortOf(abortSignal, () => listener('timed-out'));
      return send(`the action ${params.action}`, message, readUiActionAnswer, onAbort);
    },
    receive(message) {
      const kind = kindOfPluginMessage(message);
      const request = kind === 'answer' ? take() : undefined;
      if (request) settle(request, message);
      else
        process.log(
          `ignored on stdout, ${kind === 'answer' ? 'nobody waits for it' : kind}: ${quoteValue(message)}`,
          'debug',
        );
    },
    receiveOverlong(reason) {
      const request = take();
      request?.stopListening?.();
      request?.reject(new Error(`${request.label}: ${reason}`));
    },
    async finish() {
      if (inFlight) process.kill(givenUp(inFlight.label, 'cancelled'));
    },
    fail(crash: PluginCrash) {
      const request = take();
      request?.stopListening?.();
      request?.reject(crash);
    },
  };
}

type OnAbort = (listener: (cause: AbortCause) => void) => () => void;

function givenUp(label: string, cause: AbortCause): string {
  return `was ended because ${label} ${cause === 'timed-out' ? 'ran past its deadline' : 'was cancelled'}`;
}
