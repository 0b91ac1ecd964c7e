/**
 * `fetch` for the SDK's sign-in, which prints a refusal of the authorization server as it is: that may quote what was
 * sent, a client's secret with it.
 */
export function maskedFetch(
  redact: (text: string) => string,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.status < 400) return response;
    const { status, statusText, headers } = response;
    return new Response(redact(await response.text()), { status, statusText, headers });
  };
}
