const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * The form in which two tool names are the same name: `Read`, `read` and full-width `ｒｅａｄ` are one. Independent of
 * the machine's locale.
 */
export function foldName(name: string): string {
  return (BEYOND_ASCII.test(name) ? name.normalize('NFKC') : name).toLowerCase();
}
