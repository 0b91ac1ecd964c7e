const PASSED_ON_POSIX = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TERM', 'USER', 'SHELL'];
const LOCALE = /^LC_/;
/** Without these a Windows program finds neither its libraries nor its user's folders. */
const PASSED_ON_WINDOWS = [
  ...['PATH', 'PATHEXT', 'COMSPEC', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'],
  ...['HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'LANG', 'TERM'],
];

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentOptions {
  /** The host's own environment, from which a child's is picked. */
  host: Environment;
  /** Further names that are passed on: a manifest's `env`. */
  names?: readonly string[];
  /** Variables with values; a PATH among them goes before the host's instead of replacing it. */
  set?: Readonly<Record<string, string>>;
  /** A folder that goes before everything else on PYTHONPATH. */
  pythonDir?: string;
  platform?: NodeJS.Platform;
}

/**
 * The environment of a child: a small allow-list, what it was promised by name, and nothing else of the host's
 * (keys and tokens stay out).
 */
export function pickEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { host, names = [], set = {}, pythonDir, platform = process.platform } = options;
  const isWindows = platform === 'win32';
  const separator = isWindows ? ';' : ':';
  const fold = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const passed = new Set([...(isWindows ? PASSED_ON_WINDOWS : PASSED_ON_POSIX), ...names].map(fold));
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && (passed.has(fold(name)) || LOCALE.test(name))) picked[name] = value;
  }
  for (const [name, value] of Object.entries(set)) {
    const known = Object.keys(picked).find((other) => fold(other) === fold(name)) ?? name;
    picked[known] = fold(name) === 'PATH' ? joinPathLists(value, picked[known], separator) : value;
  }
  if (pythonDir !== undefined) picked.PYTHONPATH = joinPathLists(pythonDir, picked.PYTHONPATH, separator);
  return picked;
}

/** Two PATH-like lists as one, the first before the second, each folder once. */
function joinPathLists(first: string, second: string | undefined, separator: string): string {
  const folders = [...first.split(separator), ...(second ?? '').split(separator)];
  return [...new Set(folders.filter((folder) => folder !== ''))].join(separator);
}
