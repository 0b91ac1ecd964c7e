/** The types of the component model, resolved: no names and no indices, only what a value looks like. */
export type ValueType =
  | { readonly kind: PrimitiveKind }
  | { readonly kind: 'record'; readonly fields: readonly NamedType[] }
  | { readonly kind: 'variant'; readonly cases: readonly Case[] }
  | { readonly kind: 'list'; readonly element: ValueType; readonly length?: number }
  | { readonly kind: 'tuple'; readonly elements: readonly ValueType[] }
  | { readonly kind: 'flags'; readonly names: readonly string[] }
  | { readonly kind: 'enum'; readonly names: readonly string[] }
  | { readonly kind: 'option'; readonly some: ValueType }
  | { readonly kind: 'result'; readonly ok: ValueType | undefined; readonly err: ValueType | undefined }
  /** A handle, stream or future: lives in the component and has no value outside it. */
  | { readonly kind: 'opaque'; readonly what: string };

export type IntegerKind = 's8' | 'u8' | 's16' | 'u16' | 's32' | 'u32' | 's64' | 'u64';
export type PrimitiveKind = 'bool' | IntegerKind | 'f32' | 'f64' | 'char' | 'string';

export interface NamedType {
  readonly name: string;
  readonly type: ValueType;
}

export interface Case {
  readonly name: string;
  readonly type: ValueType | undefined;
}

export interface FunctionType {
  readonly parameters: readonly NamedType[];
  readonly result: ValueType | undefined;
}

/** What a component or an instance imports or exports under a name. */
export type ComponentItem =
  | { readonly sort: 'function'; readonly type: FunctionType }
  | { readonly sort: 'type'; readonly type: DefinedType }
  | { readonly sort: 'instance'; readonly items: Items }
  | { readonly sort: 'component'; readonly items: Items }
  /** Core modules and values: they take a place and nothing here asks what they are. */
  | { readonly sort: 'other' };

export type Items = ReadonlyMap<string, ComponentItem>;

/** What stands in the index space of types. */
export type DefinedType =
  | { readonly of: 'value'; readonly type: ValueType }
  | { readonly of: 'function'; readonly type: FunctionType }
  | { readonly of: 'instance'; readonly items: Items }
  | { readonly of: 'component'; readonly items: Items }
  | { readonly of: 'resource' };
