import { isDeepStrictEqual } from 'node:util';
import {
  type HookAnswer,
  type JsonObject,
  messageOf,
  readToolDeclaration,
  type Session,
  type ToolDefinition,
} from '@toolpost/protocol';
import {
  type DiscoveredPlugin,
  type LoadedPlugin,
  PluginCrash,
  type RuntimeCallContext,
  type RuntimeContext,
} from '../runtime.ts';
import { createCallRequests } from './call-requests.ts';
import { worldOf } from './component-world.ts';
import { createGuestSpawn } from './guest-spawn.ts';
import { claimOf } from './instance-claim.ts';
import { createInstancePool, type InstanceClaim, type InstancePool, type Place } from './instance-pool.ts';
import type { LoadedComponent } from './load-component.ts';
import type { ModuleCaps } from './memory-cap.ts';
import { openNetwork } from './network/open-network.ts';
import { WasmInstance } from './wasm-instance.ts';

/** Each takes some 15 MB beside the memory of its guest. */
const MAX_INSTANCES = 16;
const MAX_IDLE_MS = 5 * 60_000;

export interface WasmPluginOptions {
  readonly plugin: DiscoveredPlugin;
  readonly context: RuntimeContext;
  readonly component: LoadedComponent;
  readonly caps: ModuleCaps;
}

/** What the calls of a session have in common. */
interface Standing {
  readonly claim: InstanceClaim;
  readonly session: Session;
}

/** A component over all of its instances. */
export class WasmPlugin implements LoadedPlugin {
  readonly hooks = [];
  readonly enrichers = [];
  readonly #options: WasmPluginOptions;
  readonly #pool: InstancePool<WasmInstance>;
  readonly #hearsCancel: boolean;
  readonly #closing = new AbortController();
  /** Places of calls whose deadline has not begun, each with what takes it for the call. */
  readonly #places = new WeakMap<RuntimeCallContext, () => Place<WasmInstance>>();
  /** By the session as the host has it, which is another one when its roots change. */
  readonly #standings = new WeakMap<RuntimeCallContext['session'], Standing>();
  #declarations: readonly unknown[] = [];
  #tools: readonly ToolDefinition[] = [];
  #problems: readonly string[] = [];
  #hasCrashed = false;
  #isKept = false;
  #closed: Promise<void> | undefined;

  /** Knows its tools from the cache, else by an instance without roots. @throws PluginCrash when that does not start. */
  static async open(options: WasmPluginOptions): Promise<WasmPlugin> {
    const plugin = new WasmPlugin(options);
    const { declarations } = options.component;
    if (declarations) plugin.#learn(declarations);
    else await (await plugin.#start({ key: '', roots: [] })).kill();
    return plugin;
  }

  private constructor(options: WasmPluginOptions) {
    this.#options = options;
    this.#hearsCancel = worldOf(options.component.component.exports)?.hearsCancel === true;
    this.#pool = createInstancePool({
      start: (claim) => this.#start(claim),
      maxInstances: MAX_INSTANCES,
      maxIdleMs: MAX_IDLE_MS,
      isFreshEachTime: options.plugin.manifest.instances === 'call',
    });
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get isReady(): boolean {
    return !this.#hasCrashed && !this.#closing.signal.aborted;
  }

  /** Instances are started by `acquire`, one for each session: after a crash there is nothing else to wait for. */
  async ready(): Promise<void> {
    this.#throwIfClosed();
    this.#hasCrashed = false;
  }

  acquire(context: RuntimeCallContext): Promise<void> | undefined {
    const { claim } = this.#standingOf(context);
    const place = this.#pool.take(claim);
    if (!place) return this.#waitForPlace(claim, context);
    this.#hold(place, context);
    return undefined;
  }

  async execute(tool: ToolDefinition, _input: JsonObject, context: RuntimeCallContext): Promise<unknown> {
    this.#throwIfClosed();
    if (!this.#places.has(context)) await this.acquire(context);
    const take = this.#places.get(context);
    if (!take) throw new PluginCrash('The call was given up before its turn.');
    const { instance, release } = take();
    let isGivenUp = false;
    const stopListening = context.onAbort(() => {
      isGivenUp = true;
      instance.giveUp({ mayHear: this.#hearsCancel });
    });
    const { toolCallId: id, input } = context;
    const { session } = this.#standingOf(context);
    try {
      return await instance.call({ id, toolName: tool.name, input, session }, context);
    } catch (error) {
      if (error instanceof PluginCrash && !isGivenUp) this.#crashed(error);
      throw error;
    } finally {
      stopListening();
      // What hears of it late belongs to no other call.
      if (isGivenUp) void instance.kill();
      release();
    }
  }

  async runHook(): Promise<HookAnswer> {
    throw new Error('a WebAssembly plugin has no hooks');
  }

  async enrich(): Promise<unknown> {
    throw new Error('a WebAssembly plugin has no enrichers');
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.close();
  }

  #throwIfClosed(): void {
    if (this.#closing.signal.aborted) throw new PluginCrash(`The plugin ${this.#options.plugin.id} is closed.`);
  }

  async #waitForPlace(claim: InstanceClaim, context: RuntimeCallContext): Promise<void> {
    this.#hold(await this.#pool.wait(claim, (listener) => context.onAbort(listener)), context);
  }

  #standingOf(context: RuntimeCallContext): Standing {
    const { session, roots } = context;
    const known = this.#standings.get(session);
    if (known?.session.roots === roots) return known;
    const claim = claimOf(context, this.#options.plugin.manifest.instances);
    const standing = { claim, session: { ...session, roots } };
    this.#standings.set(session, standing);
    return standing;
  }

  /** Keeps the place for the call; one that is given up before gives it back. */
  #hold(place: Place<WasmInstance>, context: RuntimeCallContext): void {
    const stopListening = context.onAbort(() => {
      if (this.#places.delete(context)) place.release();
    });
    this.#places.set(context, () => {
      this.#places.delete(context);
      stopListening();
      return place;
    });
  }

  async #start({ roots }: InstanceClaim): Promise<WasmInstance> {
    const { plugin, context, component, caps } = this.#options;
    const { glue, imports, exports } = component.component;
    const { hostEnvironment, grants, settings } = context;
    const environment = (grants.env ?? []).flatMap((name): [string, string][] => {
      const value = hostEnvironment[name];
      return value === undefined ? [] : [[name, value]];
    });
    const { modules, codeCache } = component;
    const hidden = [context.homeDir];
    const warn = (message: string) => context.log(message, 'warn');
    const network = await openNetwork(imports, { pluginId: plugin.id, hosts: grants.hosts, log: warn });
    const instance = await WasmInstance.start({
      pluginId: plugin.id,
      start: {
        glue,
        codeCache,
        modules,
        imports,
        exports,
        functions: component.functions?.tools ?? [],
        ...caps,
        roots,
        hidden,
        environment,
        settings,
        grants: { hosts: grants.hosts, spawn: grants.spawn },
      },
      services: [createGuestSpawn({ pluginId: plugin.id, context }), createCallRequests(), ...network],
      startTimeoutMs: plugin.manifest.startTimeoutMs,
      abortSignal: context.closing ? AbortSignal.any([this.#closing.signal, context.closing]) : this.#closing.signal,
      log: context.log,
    });
    this.#learnFrom(instance);
    return instance;
  }

  /** What an instance says of itself replaces what was known, here and in the cache. */
  #learnFrom({ ready }: WasmInstance): void {
    const { component, context } = this.#options;
    const isNew = !isDeepStrictEqual(ready.declarations, this.#declarations);
    const isFirst = this.#tools.length === 0;
    if (isNew) this.#learn(ready.declarations);
    if (isNew && !isFirst) context.onStateChange({ state: 'tools-changed' });
    if (this.#isKept || (!isNew && !ready.codeCache)) return;
    this.#isKept = true;
    component.keep(ready.declarations, ready.codeCache);
  }

  #learn(declarations: readonly unknown[]): void {
    const problems: string[] = [...(this.#options.component.functions?.problems ?? [])];
    this.#declarations = declarations;
    this.#tools = declarations.flatMap((declared) => {
      try {
        return [readToolDeclaration(declared)];
      } catch (error) {
        problems.push(messageOf(error));
        return [];
      }
    });
    this.#problems = problems;
  }

  #crashed(crash: PluginCrash): void {
    if (this.#closing.signal.aborted) return;
    this.#hasCrashed = true;
    this.#options.context.onStateChange({ state: 'stopped', reason: crash.message });
  }
}
