import type { CallRecord, Session, ToolCall } from '@toolpost/protocol';

/** Watches calls, where somebody wants to know of them: `telemetry/` has the one that there is. */
export interface CallTelemetry {
  /**
   * Runs a call within a span of its own and counts how it ended. `run` gets the W3C `traceparent` that the plugin is told;
   * undefined where nothing is traced.
   */
  call(
    call: ToolCall,
    session: Session,
    run: (traceparent: string | undefined) => Promise<CallRecord>,
  ): Promise<CallRecord>;
}
