/** A provider of models as clients see it. */
export interface ProviderListing {
  readonly id: string;
  /** How a model of it is written. */
  readonly specification: string;
  /** Whether what it needs is set: says nothing about whether it is valid. */
  readonly isReady: boolean;
}

export function listProviders(environment: Readonly<Record<string, string | undefined>>): ProviderListing[] {
  const isSet = (name: string) => (environment[name] ?? '') !== '';
  return [
    { id: 'demo', specification: 'demo', isReady: true },
    { id: 'openai', specification: 'openai:NAME', isReady: isSet('OPENAI_API_KEY') },
    { id: 'anthropic', specification: 'anthropic:NAME', isReady: isSet('ANTHROPIC_API_KEY') },
    { id: 'openai-compatible', specification: 'openai-compatible:NAME@URL', isReady: true },
  ];
}
