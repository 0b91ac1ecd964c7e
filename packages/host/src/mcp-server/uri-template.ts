/** Finds the variables of a URI template in a URI; undefined when the URI does not follow it. */
export type MatchUri = (uri: string) => Readonly<Record<string, string>> | undefined;

/** A text that stands as it is, or a variable; `isRest`: it may go over slashes. */
type Piece = { readonly literal: string } | { readonly name: string; readonly isRest: boolean };

interface Template {
  readonly pieces: readonly Piece[];
  /** Variables of `{?a,b}`, each of which may be missing. */
  readonly query: readonly string[];
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

const matchers = new Map<string, MatchUri>();

/**
 * The templates of RFC 6570 read backwards, as far as that is certain: `{name}` is a part between slashes, `{+name}` and
 * `{name*}` go over them, `{?a,b}` is a query. A variable ends where the text behind it first stands, so that matching
 * takes one pass, whatever the template.
 */
export function uriMatcher(template: string): MatchUri {
  const known = matchers.get(template);
  if (known) return known;
  const parsed = parse(template);
  const matcher: MatchUri = (uri) => match(parsed, uri);
  if (matchers.size < 10_000) matchers.set(template, matcher);
  return matcher;
}

function parse(template: string): Template {
  const pieces: Piece[] = [];
  const query: string[] = [];
  let end = 0;
  for (const { 0: whole, 1: operator = '', 2: list = '', index } of template.matchAll(EXPRESSION)) {
    addLiteral(pieces, template.slice(end, index));
    end = index + whole.length;
    const names = list.split(',').map((name) => name.trim());
    if (operator === '?' || operator === '&') {
      query.push(...names.map(bareName));
      continue;
    }
    if (operator === '/' || operator === '.' || operator === '#' || operator === ';') addLiteral(pieces, operator);
    for (const [at, name] of names.entries()) {
      if (at > 0) addLiteral(pieces, ',');
      pieces.push({ name: bareName(name), isRest: operator === '+' || operator === '#' || name.endsWith('*') });
    }
  }
  addLiteral(pieces, template.slice(end));
  return { pieces, query };
}

function addLiteral(pieces: Piece[], literal: string): void {
  if (literal !== '') pieces.push({ literal });
}

function bareName(name: string): string {
  return name.replace(/\*$|:\d+$/, '');
}

function match({ pieces, query }: Template, uri: string): Record<string, string> | undefined {
  const queryAt = query.length > 0 ? uri.indexOf('?') : -1;
  const path = queryAt === -1 ? uri : uri.slice(0, queryAt);
  const variables: Record<string, string> = {};
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if ('literal' in piece) {
      if (!path.startsWith(piece.literal, at)) return undefined;
      at += piece.literal.length;
      continue;
    }
    const end = endOfVariable(path, at, pieces[index + 1]);
    const value = end === undefined ? '' : path.slice(at, end);
    if (end === undefined || value === '' || (!piece.isRest && /[/?#]/.test(value))) return undefined;
    Object.defineProperty(variables, piece.name, { value: decoded(value), enumerable: true });
    at = end;
  }
  if (at !== path.length) return undefined;
  const given = new URLSearchParams(queryAt === -1 ? '' : uri.slice(queryAt + 1));
  for (const name of query) {
    const value = given.get(name);
    if (value !== null) Object.defineProperty(variables, name, { value, enumerable: true });
  }
  return variables;
}

/** Undefined where it has none: two variables that touch cannot be told apart. */
function endOfVariable(path: string, at: number, next: Piece | undefined): number | undefined {
  if (!next) return path.length;
  if (!('literal' in next)) return undefined;
  const end = path.indexOf(next.literal, at + 1);
  return end === -1 ? undefined : end;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
