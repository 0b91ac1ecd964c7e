const texts = new Map<string, Promise<string>>();

/** The text of a library of interfaces, from this host alone, fetched once. A failure is tried again the next time. */
export function loadLib(name: string): Promise<string> {
  const known = texts.get(name);
  if (known) return known;
  const loading = fetchText(`/frame/${name}.js`);
  texts.set(name, loading);
  loading.catch(() => texts.delete(name));
  return loading;
}

async function fetchText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} could not be loaded: the server answered ${response.status}`);
  return response.text();
}
