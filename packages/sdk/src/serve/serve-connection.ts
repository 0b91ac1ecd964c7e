import { HOST_METHODS, isJsonObject, type JsonObject, PLUGIN_METHODS, quoteValue } from '@toolpost/protocol';
import type { Tool } from '../define/define-tool.ts';
import { type ActivePlugin, activatePlugin } from '../plugin/activate-plugin.ts';
import type { Plugin } from '../plugin/define-plugin.ts';
import { errorMessage } from '../results/to-tool-result.ts';
import type { LogLevel } from '../tool-call-context.ts';
import { activateAnswer } from './activate-answer.ts';
import { answerRequest } from './answer-request.ts';
import { type CallsInFlight, encodeError, executeCall } from './execute-call.ts';
import { createHostRequests } from './host-requests.ts';
import type { PluginConnection } from './plugin-connection.ts';
import { RunningCalls } from './running-calls.ts';
import type { CallServices } from './served-call.ts';
import { withDeadline } from './with-deadline.ts';

const SETTINGS_MS = 1000;
/** How long calls may still run at the end: enough for what was piped in to be answered. */
const END_GRACE_MS = 1000;
const DEACTIVATE_MS = 5000;
/** Less than what a host leaves a plugin that it has asked to end. */
const FINISH_MS = 200;

/** What a plugin says and hears beside the stdio wire. It hears of each message first. */
export interface WireExtension {
  /** Stands beside the tools in the answer to `activate`. */
  readonly activateFields: JsonObject;
  /** Returns whether the message was one of its own. */
  onMessage(message: JsonObject): boolean;
  /** Begins nothing more. Resolves when what it hands on to others is handed on. */
  finish(): Promise<void>;
}

export type ExtendWire = (calls: CallsInFlight) => WireExtension;

export interface ServeConnectionOptions {
  /** Writes to the plugin's log. */
  log(message: string, level?: LogLevel): void;
  extend?: ExtendWire;
}

/**
 * Serves a plugin to the host at the other end of a connection, in the version of the protocol that the host offers.
 * Resolves when the host has deactivated the plugin or is gone, and the plugin's `deactivate` has run.
 */
export function serveConnection(
  plugin: Plugin,
  connection: PluginConnection,
  options: ServeConnectionOptions,
): Promise<void> {
  return new ServedPlugin(plugin, connection, options).run();
}

class ServedPlugin {
  readonly #plugin: Plugin;
  readonly #services: CallServices;
  readonly #running = new RunningCalls();
  readonly #calls: CallsInFlight;
  readonly #extension: WireExtension | undefined;
  readonly #tools = new Map<unknown, Tool>();
  #active: ActivePlugin | undefined;
  #activating: Promise<void> | undefined;
  /** Messages without an id are answered in their order, one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #isEnding = false;
  #finish: () => void = () => {};

  constructor(plugin: Plugin, connection: PluginConnection, { log, extend }: ServeConnectionOptions) {
    this.#plugin = plugin;
    const requests = createHostRequests((line) => connection.send(line));
    this.#services = { connection, requests, settings: {}, log };
    this.#calls = { services: this.#services, running: this.#running };
    this.#extension = extend?.(this.#calls);
  }

  run(): Promise<void> {
    return new Promise((resolve) => {
      this.#finish = resolve;
      this.#services.connection.listen({
        onLine: (line) => this.#onLine(line),
        onOverlongLine: (bytes, head) => this.#onOverlongLine(bytes, head),
        onEnd: () => void this.#end('gone'),
      });
    });
  }

  #onLine(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch (error) {
      this.#fail(undefined, `invalid JSON: ${errorMessage(error)}`);
      return;
    }
    if (!isJsonObject(message)) this.#fail(undefined, `invalid JSON: not an object: ${quoteValue(message)}`);
    else if (!this.#isEnding && !this.#extension?.onMessage(message)) this.#onMessage(message);
  }

  /** Nothing of the line was kept but its head, which names the call that would wait for ever. */
  #onOverlongLine(bytes: number, head: string): void {
    const id = /^\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/.exec(head)?.[1];
    this.#fail(id && JSON.parse(id), `a line of at least ${bytes} bytes is more than this plugin takes`);
  }

  #onMessage(message: JsonObject): void {
    const { id, method } = message;
    const params = isJsonObject(message.params) ? message.params : {};
    switch (method) {
      case HOST_METHODS.executeTool:
        this.#start(id, () => this.#call(id, params));
        break;
      case HOST_METHODS.activate:
        this.#activating = this.#turn.then(() => this.#activate(id, params));
        this.#turn = this.#activating;
        break;
      case HOST_METHODS.cancel:
        this.#running.cancel(params.id);
        break;
      case HOST_METHODS.deactivate:
        void this.#end('deactivated');
        break;
      case undefined:
        this.#services.requests.settle(message);
        break;
      default:
        this.#start(id, () => this.#request(id, method, params));
    }
  }

  /** Starts what has an id at once, the rest in its turn. `run` never rejects. */
  #start(id: unknown, run: () => void | Promise<void>): void {
    if (id === undefined) this.#turn = this.#turn.then(run);
    else if (this.#activating) void this.#activating.then(run);
    else void run();
  }

  async #activate(id: unknown, { pluginId, protocolVersions }: JsonObject): Promise<void> {
    try {
      if (this.#active) throw new Error('the plugin is active already');
      const speaksTwo = Array.isArray(protocolVersions) && protocolVersions.includes(2);
      if (speaksTwo) await this.#loadSettings();
      const { settings, log } = this.#services;
      const publish = (topic: string, data: unknown, { tenant }: { tenant?: string }) =>
        this.#services.requests
          .request(PLUGIN_METHODS.busPublish, { topic, data: data ?? null, tenant })
          .then(() => {});
      const given = { pluginId: String(pluginId ?? ''), settings, log, ...(speaksTwo && { publish }) };
      this.#active = await activatePlugin(this.#plugin, given);
      for (const tool of this.#active.tools) this.#tools.set(tool.name, tool);
      this.#send({
        id,
        protocolVersion: speaksTwo ? 2 : undefined,
        ...this.#extension?.activateFields,
        ...activateAnswer(this.#active, speaksTwo),
      });
    } catch (error) {
      this.#fail(id, errorMessage(error));
    } finally {
      this.#activating = undefined;
    }
  }

  /** A host that does not answer has no settings for the plugin. */
  async #loadSettings(): Promise<void> {
    const asked = this.#services.requests.request(PLUGIN_METHODS.settingsGet, {}).catch(() => undefined);
    const settings = await withDeadline(asked, SETTINGS_MS);
    if (isJsonObject(settings)) this.#services.settings = settings;
  }

  #call(id: unknown, params: JsonObject): void | Promise<void> {
    const tool = this.#tools.get(params.toolName);
    if (!tool) {
      this.#fail(id, this.#active ? `Unknown tool: ${String(params.toolName)}` : 'the plugin is not active');
    } else if (id !== undefined && this.#running.has(id)) {
      this.#fail(id, `the id ${quoteValue(id)} is in use by a call in flight`);
    } else {
      const input = typeof params.input === 'string' ? params.input : JSON.stringify(params.input ?? {});
      const context = isJsonObject(params.context) ? params.context : {};
      return executeCall(tool, { id, input, context }, this.#calls);
    }
  }

  /** Answers whatever is no call. A cancel aborts it. */
  async #request(id: unknown, method: unknown, params: JsonObject): Promise<void> {
    const controller = new AbortController();
    const key = id ?? controller;
    this.#running.add(key, { cancel: () => controller.abort() });
    try {
      const asked = { active: this.#active, tools: this.#tools, services: this.#services };
      this.#send({ id, ...(await answerRequest(method, params, { ...asked, abortSignal: controller.signal })) });
    } catch (error) {
      this.#fail(id, errorMessage(error));
    } finally {
      this.#running.remove(key);
    }
  }

  /** Answers what may still be answered, aborts the rest, and ends the plugin: each within its time. */
  async #end(reason: 'deactivated' | 'gone'): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { requests } = this.#services;
    if (reason === 'gone') requests.close('the host is gone');
    await withDeadline(this.#turn, END_GRACE_MS);
    if (reason === 'gone') await withDeadline(this.#running.whenIdle(), END_GRACE_MS);
    this.#running.cancelAll();
    await withDeadline(this.#running.whenIdle(), END_GRACE_MS);
    if (this.#extension) await withDeadline(this.#extension.finish(), FINISH_MS);
    await withDeadline(this.#deactivate(), DEACTIVATE_MS);
    requests.close('the plugin was deactivated');
    this.#finish();
  }

  async #deactivate(): Promise<void> {
    try {
      await this.#active?.deactivate();
    } catch (error) {
      this.#services.log(`deactivate failed: ${errorMessage(error)}`, 'error');
    }
  }

  #send(message: JsonObject): void {
    this.#services.connection.send(JSON.stringify(message));
  }

  #fail(id: unknown, message: string): void {
    this.#services.connection.send(encodeError(id, message));
  }
}
