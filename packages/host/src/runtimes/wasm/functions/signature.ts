import type { FunctionType, ValueType } from '../component/component-types.ts';

/** Deeper types are shortened: a signature is for reading. */
const MAX_DEPTH = 6;

/** A function's type as WIT writes it, named types written out: `func(a: s32) -> result<string, string>`. */
export function signatureOf({ parameters, result }: FunctionType): string {
  const taken = parameters.map(({ name, type }) => `${name}: ${typeText(type, 0)}`).join(', ');
  return result === undefined ? `func(${taken})` : `func(${taken}) -> ${typeText(result, 0)}`;
}

function typeText(type: ValueType, depth: number): string {
  if (depth > MAX_DEPTH) return '…';
  const inner = (one: ValueType) => typeText(one, depth + 1);
  switch (type.kind) {
    case 'record':
      return `record { ${type.fields.map(({ name, type: field }) => `${name}: ${inner(field)}`).join(', ')} }`;
    case 'variant':
      return `variant { ${type.cases.map(({ name, type: of }) => (of ? `${name}(${inner(of)})` : name)).join(', ')} }`;
    case 'list':
      return `list<${inner(type.element)}${type.length === undefined ? '' : `, ${type.length}`}>`;
    case 'tuple':
      return `tuple<${type.elements.map(inner).join(', ')}>`;
    case 'flags':
    case 'enum':
      return `${type.kind} { ${type.names.join(', ')} }`;
    case 'option':
      return `option<${inner(type.some)}>`;
    case 'result':
      return resultText(type.ok && inner(type.ok), type.err && inner(type.err));
    case 'opaque':
      return type.what;
    default:
      return type.kind;
  }
}

function resultText(ok: string | undefined, err: string | undefined): string {
  if (err === undefined) return ok === undefined ? 'result' : `result<${ok}>`;
  return `result<${ok ?? '_'}, ${err}>`;
}
