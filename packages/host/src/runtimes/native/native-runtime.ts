import { HostError, type JsonObject, type ToolDefinition } from '@toolpost/protocol';
import {
  type ActivateOptions,
  type ActivePlugin,
  activatePlugin,
  errorMessage,
  readExports,
  runEnricher,
  runHooks,
  runSubscriptions,
  runUiAction,
  type Tool,
  topicsOf,
  toToolDefinition,
} from '@toolpost/sdk';
import {
  type DiscoveredPlugin,
  type HookAnswer,
  type HookEvent,
  type LoadedPlugin,
  NOT_HANDLED,
  PluginCrash,
  type Runtime,
  type RuntimeCallContext,
  type RuntimeContext,
} from '../runtime.ts';
import { throwIfClosing, whileOpen } from '../while-open.ts';
import { findEntry } from './find-entry.ts';
import { importModule } from './import-module.ts';
import { offerModules } from './plugin-modules.ts';
import { within } from './within.ts';

/** How long `deactivate` may take. What runs longer goes on in the background until the process ends. */
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Runs plugins written in TypeScript or JavaScript in the host's own process: for trusted code, at the price of a
 * function call. A synchronous loop in such a plugin cannot be interrupted.
 */
export function createNativeRuntime(): Runtime {
  return { load, hasPreviews: true, isInProcess: true };
}

async function load(plugin: DiscoveredPlugin, context: RuntimeContext): Promise<LoadedPlugin> {
  const { id, manifest } = plugin;
  const withdrawModules = offerModulesTo(plugin, context);
  const starting = start(plugin, context);
  try {
    const active = await within(manifest.startTimeoutMs, whileOpen(context, starting), () => {
      throw new Error(`it was not ready within its startTimeout of ${manifest.startTimeoutMs} ms`);
    });
    return createLoadedPlugin(active, { id, log: context.log, withdrawModules });
  } catch (error) {
    // A start that comes to its end too late is undone; one that failed has nothing to undo.
    starting.then((late) => late.deactivate()).catch(() => {});
    withdrawModules();
    if (error instanceof HostError) throw error;
    throw new HostError('PLUGIN_LOAD_FAILED', `${id}: ${errorMessage(error)}`, { cause: error, pluginId: id });
  }
}

function offerModulesTo({ id, dir }: DiscoveredPlugin, { pluginModules }: RuntimeContext): () => void {
  try {
    return offerModules(dir, pluginModules);
  } catch (error) {
    const reason = `${id}: its folder ${dir} cannot be read: ${errorMessage(error)}`;
    throw new HostError('PLUGIN_LOAD_FAILED', reason, { cause: error, pluginId: id });
  }
}

async function start({ id, dir, file, manifest }: DiscoveredPlugin, context: RuntimeContext): Promise<ActivePlugin> {
  throwIfClosing(context);
  const entry = file ?? findEntry(dir, manifest.entry, id);
  const plugin = readExports(await importModule(entry, id, context.reading), entry, id);
  const { permissions } = manifest;
  try {
    const { settings, log } = context;
    return await activatePlugin(plugin, {
      ...{ pluginId: id, settings, permissions, log, isSingleFile: file !== undefined, publish: publisherOf(context) },
    });
  } catch (error) {
    const reason = `${id}: ${entry} could not be activated: ${errorMessage(error)}`;
    throw new HostError('PLUGIN_LOAD_FAILED', reason, { cause: error, pluginId: id });
  }
}

/** A native plugin serves every tenant, and says which. */
function publisherOf({ publish }: RuntimeContext): NonNullable<ActivateOptions['publish']> {
  return async (topic, data, { tenant = '' }) => {
    if (!publish) throw new Error('there is no bus here');
    publish(topic, data, tenant);
  };
}

interface Surroundings {
  id: string;
  log: RuntimeContext['log'];
  withdrawModules(): void;
}

function createLoadedPlugin(active: ActivePlugin, { id, log, withdrawModules }: Surroundings): LoadedPlugin {
  const tools = new Map<string, Tool>(active.tools.map((tool) => [tool.name, tool]));
  let closing: Promise<void> | undefined;
  const closed = (): PluginCrash => new PluginCrash(`plugin "${id}" was closed`);

  const deactivate = async (): Promise<void> => {
    try {
      await within(CLOSE_TIMEOUT_MS, active.deactivate(), () =>
        log(`deactivate did not end within ${CLOSE_TIMEOUT_MS} ms and was left alone`, 'warn'),
      );
    } catch (error) {
      log(`deactivate failed: ${errorMessage(error)}`, 'error');
    }
    withdrawModules();
  };

  return {
    tools: active.tools.map(toToolDefinition),
    hooks: active.hooks.map(({ handler: _handler, ...offer }) => offer),
    enrichers: active.enrichers.map(({ enrich: _, ...offer }) => offer),
    get isReady() {
      return closing === undefined;
    },
    async ready() {
      if (closing) throw closed();
    },
    execute(definition: ToolDefinition, input: JsonObject, context: RuntimeCallContext): unknown {
      if (closing) throw closed();
      const tool = tools.get(definition.name);
      if (!tool) throw new Error(`plugin "${id}" has no tool named "${definition.name}"`);
      return tool.execute(input, context);
    },
    preview: (definition, input, context) => tools.get(definition.name)?.preview?.(input, context),
    runHook: (event: HookEvent, abortSignal: AbortSignal): Promise<HookAnswer> =>
      runHooks(active.hooks, event, abortSignal),
    subscriptions: topicsOf(active.subscriptions),
    receive: (message, busContext) => runSubscriptions(active.subscriptions, message, busContext),
    async handleUiAction(action, uiContext) {
      const value = await runUiAction(active.webUiAction, action, uiContext);
      return value ? { isHandled: true, value } : NOT_HANDLED;
    },
    content: active.content.declared,
    answerContent: (request, context) => active.content.answer(request, context),
    enrich: (name, session, abortSignal) => runEnricher(active.enrichers, name, { session, abortSignal }),
    close() {
      closing ??= deactivate();
      return closing;
    },
  };
}
