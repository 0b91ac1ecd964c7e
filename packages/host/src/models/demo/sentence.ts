import { isJsonObject, type JsonObject } from '@toolpost/protocol';

/** What stands in a request besides plain words. The lists are consumed while arguments are filled in. */
export interface Sentence {
  readonly text: string;
  /** `text` with everything listed below blanked out; places in it are places in `text`. */
  readonly plain: string;
  readonly pairs: Map<string, string>;
  readonly json: JsonObject;
  readonly quoted: string[];
  readonly urls: string[];
  readonly paths: string[];
  readonly dates: string[];
  /** Paths with `*` in them. */
  readonly globs: string[];
}

const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])|${'`'}([^${'`'}]*)${'`'}|“([^”]*)”`;
const PAIR = new RegExp(String.raw`(?<![^\s,;(])([\p{L}_][\p{L}\p{N}_-]*)\s?=\s?(?:${QUOTED}|([^\s,;]+))`, 'gu');
const QUOTED_TEXT = new RegExp(QUOTED, 'gu');
const URL_TEXT = /https?:\/\/[^\s,;"'<>]*[^\s,;"'<>.!?)]/gi;
const DATE_TEXT = /\b\d{4}-\d{2}-\d{2}\b/g;
const PATH_TEXT =
  /(?<![^\s(])(?:~|\.{0,2})\/[^\s,;"']*[^\s,;"'.!?)]|(?<![^\s(])[\p{L}\p{N}_.*@-]+(?:\/[\p{L}\p{N}_.*@-]+)+\/?|(?<![^\s(])[\p{L}\p{N}_*-]*\.[\p{L}][\p{L}\p{N}]{0,7}(?![\p{L}\p{N}])|(?<![^\s(])\*+[^\s,;]*/gu;

/** Takes a request apart: `name=Bob` pairs, a JSON object, quoted texts, addresses and paths. */
export function readSentence(text: string): Sentence {
  const pairs = new Map<string, string>();
  const quoted: string[] = [];
  const [withoutJson, json] = takeJson(text);
  let plain = take(withoutJson, PAIR, ([, key = '', ...values]) => pairs.set(key.toLowerCase(), firstOf(values)));
  plain = take(plain, QUOTED_TEXT, ([, ...values]) => quoted.push(firstOf(values)));
  const urls: string[] = [];
  plain = take(plain, URL_TEXT, ([url]) => urls.push(url));
  const dates: string[] = [];
  plain = take(plain, DATE_TEXT, ([date]) => dates.push(date));
  const paths: string[] = [];
  const globs: string[] = [];
  plain = take(plain, PATH_TEXT, ([path]) => (path.includes('*') ? globs : paths).push(path));
  return { text, plain, pairs, json, quoted, urls, paths, dates, globs };
}

function take(text: string, pattern: RegExp, keep: (match: RegExpExecArray) => void): string {
  for (const match of text.matchAll(pattern)) keep(match);
  return text.replace(pattern, (found) => ' '.repeat(found.length));
}

function takeJson(text: string): [string, JsonObject] {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}') + 1;
  if (start < 0 || end <= start) return [text, {}];
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    if (!isJsonObject(value)) return [text, {}];
    return [text.slice(0, start) + ' '.repeat(end - start) + text.slice(end), value];
  } catch {
    return [text, {}];
  }
}

function firstOf(values: (string | undefined)[]): string {
  return (values.find((value) => value !== undefined) ?? '').replace(/\\(["\\])/g, '$1');
}
