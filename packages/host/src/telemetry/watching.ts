import type { Span, Tracer } from '@opentelemetry/api';
import type { Instruments } from './instruments.ts';

export type OtelApi = typeof import('@opentelemetry/api');

/** What the parts of the telemetry share. */
export interface Watching {
  readonly api: OtelApi;
  readonly tracer: Tracer;
  readonly instruments: Instruments;
}

/** Only what kind of failure it is: texts of errors may quote anything. */
export function fail(api: OtelApi, span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: api.SpanStatusCode.ERROR });
}
