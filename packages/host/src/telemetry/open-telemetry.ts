import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/** Where every copy of `@opentelemetry/api` 1.x keeps what an SDK registers, whoever loaded it. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

interface Registered {
  readonly trace?: unknown;
  readonly metrics?: unknown;
}

/**
 * Telemetry for a host that opens now; undefined, and nothing is loaded, where no SDK is registered. One that is registered
 * later hears nothing of this host.
 */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const registered: Registered | undefined = Reflect.get(globalThis, REGISTRY);
  if (!registered?.trace && !registered?.metrics) return undefined;
  const [api, { createTelemetry }] = await Promise.all([import('@opentelemetry/api'), import('./create-telemetry.ts')]);
  return createTelemetry(api, options);
}

/** The convention's own switch for what messages and calls say. */
export function wantsContent(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.trim().toLowerCase() === 'true';
}
