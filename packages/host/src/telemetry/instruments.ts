import type { Attributes, Meter } from '@opentelemetry/api';
import type { CallRecord, Session } from '@toolpost/protocol';

/** What is counted. Durations are in seconds, as the conventions have them. */
export interface Instruments {
  countCall(record: CallRecord, session: Session): void;
  /** A question to a model, or a turn, by its `gen_ai.operation.name`. */
  took(durationMs: number, attributes: Attributes): void;
  countTokens(type: 'input' | 'output', tokens: number, attributes: Attributes): void;
}

/** Bounds that the conventions name for durations and tokens. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

export function createInstruments(meter: Meter): Instruments {
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: SECONDS } };
  const calls = meter.createCounter('toolpost.tool.calls', {
    unit: '{call}',
    description: 'Calls of tools by outcome.',
  });
  const callDuration = meter.createHistogram('toolpost.tool.duration', {
    ...{ ...seconds, description: 'How long calls of tools took.' },
  });
  const duration = meter.createHistogram('gen_ai.client.operation.duration', {
    ...{ ...seconds, description: 'How long questions to models and turns took.' },
  });
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    ...{ unit: '{token}', description: 'Tokens of questions to models.', advice: { explicitBucketBoundaries: TOKENS } },
  });
  return {
    countCall({ name, plugin, outcome, durationMs }, { tenant }) {
      const attributes = {
        // A name that no plugin has may be any text of a model's: it would be a series of its own.
        ...(plugin !== '' && { 'gen_ai.tool.name': name, 'toolpost.plugin': plugin }),
        'toolpost.outcome': outcome,
        ...(tenant !== '' && { 'toolpost.tenant': tenant }),
      };
      calls.add(1, attributes);
      callDuration.record(durationMs / 1000, attributes);
    },
    took: (durationMs, attributes) => duration.record(durationMs / 1000, attributes),
    countTokens: (type, count, attributes) => tokens.record(count, { ...attributes, 'gen_ai.token.type': type }),
  };
}
