import { HostError } from '@toolpost/protocol';

/** A model specification taken apart. `url` is normalised and has no final slash. */
export type ModelSpec =
  | { readonly provider: 'demo' }
  | { readonly provider: 'openai' | 'anthropic'; readonly name: string }
  | { readonly provider: 'openai-compatible'; readonly name: string; readonly url?: string };

export const SPEC_FORMS = 'demo, openai:NAME, anthropic:NAME or openai-compatible:NAME@URL';

/**
 * Reads `demo`, `openai:NAME`, `anthropic:NAME` and `openai-compatible:NAME@URL`, with `/` accepted for the first
 * `:`. A NAME may hold `:`, `/` and `@` itself, as Ollama's do: the URL starts at the first `@http`.
 * @throws HostError MODEL_FAILED that quotes the specification and shows the forms.
 */
export function parseModelSpec(spec: string): ModelSpec {
  const text = spec.trim();
  if (text === 'demo') return { provider: 'demo' };
  const match = /^([a-z-]+)[:/](.*)$/s.exec(text);
  const [, provider = '', rest = ''] = match ?? [];
  if (provider !== 'openai' && provider !== 'anthropic' && provider !== 'openai-compatible') {
    throw new HostError('MODEL_FAILED', `"${withoutSecrets(text)}" names no known model. Use ${SPEC_FORMS}.`);
  }
  const urlAt = provider === 'openai-compatible' ? rest.search(/@https?:\/\//i) : -1;
  const name = (urlAt < 0 ? rest : rest.slice(0, urlAt)).trim();
  if (name === '') {
    throw new HostError('MODEL_FAILED', `"${withoutSecrets(text)}" lacks the model's name. Use ${SPEC_FORMS}.`);
  }
  if (provider !== 'openai-compatible') return { provider, name };
  if (urlAt < 0) return { provider, name };
  return { provider, name, url: parseBaseUrl(rest.slice(urlAt + 1), 'the model specification') };
}

/**
 * Checks the address of a provider and drops its final slash.
 * @throws HostError MODEL_FAILED that says where the address was set.
 */
export function parseBaseUrl(text: string, where: string): string {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new HostError('MODEL_FAILED', `"${withoutSecrets(text)}" in ${where} is not an http or https address.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new HostError(
      'MODEL_FAILED',
      `The address in ${where} holds a user or password. Put the key into OPENAI_API_KEY.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Specifications end up in logs: a password in an address does not. */
function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//***@');
}
