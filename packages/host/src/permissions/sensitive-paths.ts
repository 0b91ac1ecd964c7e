const SECRET_NAME = new RegExp(
  [
    '^\\.env',
    '^(?:\\.netrc|_netrc|\\.pgpass|\\.npmrc|\\.pypirc|\\.htpasswd|\\.git-credentials)$',
    '^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$',
    '^secrets?(?:\\.[a-z]+)?$',
    'credentials?(?:[._-][a-z0-9._-]*)?$',
    '^service[_-]?account.*\\.json$',
    '\\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk)$',
  ].join('|'),
);
const SECRET_FOLDERS = new Set(['.ssh', '.aws', '.gnupg', '.kube', '.docker', '.azure', '.gcloud']);
const PROTECTED_FOLDERS = new Set(['.git', '.toolpost']);

/** Whether a file looks like it holds a secret, by its name or folder: `.env*`, keys, credentials. Reading it asks. */
export function looksSecret(path: string): boolean {
  const names = namesOf(path);
  return SECRET_NAME.test(names.at(-1) ?? '') || names.some((name) => SECRET_FOLDERS.has(name));
}

/**
 * The part of a path that no rule makes writable without asking: what is in `.toolpost/` and `.mcp.json` says what the
 * host runs, and `.git/` what git runs (hooks, filters).
 */
export function protectedPart(path: string): string | undefined {
  const names = namesOf(path);
  if (names.at(-1) === '.mcp.json') return '.mcp.json';
  const folder = names.find((name) => PROTECTED_FOLDERS.has(name));
  return folder && `${folder}/`;
}

/**
 * Case is folded everywhere, and what a file system ignores in names is dropped: invisible characters on macOS' HFS+, dots
 * and blanks at the end on Windows.
 */
function namesOf(path: string): string[] {
  return path
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .split(/[\\/]+/)
    .map((name) => name.replace(/[. ]+$/, ''))
    .filter((name) => name !== '');
}
