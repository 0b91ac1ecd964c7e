import { ApiError } from '@toolpost/protocol';

const KEY = 'toolpost-token';

const USED_LINK =
  'This link was used before, or is too old. Start the server again for a new one, or paste the token from its file.';
export const WRONG_TOKEN = 'That token is not right.';
export const STARTED_AGAIN =
  'The server was started again. Open the new address that it printed, or paste the token from its file.';

/**
 * Takes the code of a one-use link out of the address at once, so that it stays in no history, and changes it for a
 * token. Without a code: the token of this tab, if it has one.
 * @throws ApiError when the link was used before.
 */
export async function takeToken(): Promise<string | undefined> {
  const code = location.hash.slice(1);
  if (code === '' || code.startsWith('/')) return sessionStorage.getItem(KEY) ?? undefined;
  history.replaceState(null, '', location.pathname);
  const response = await fetch('api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const answer: { token?: string; detail?: string } = await response.json();
  if (response.status === 401) throw new ApiError(401, 'UNAUTHORIZED', USED_LINK);
  if (answer.token === undefined)
    throw new ApiError(response.status, undefined, answer.detail ?? 'the link was not accepted');
  keepToken(answer.token);
  return answer.token;
}

/** In this tab alone, and until it is closed. */
export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}
