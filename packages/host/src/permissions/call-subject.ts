import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { type CallPath, isPathArgument, locatePath, type PathStyle, pathTexts, textsIn } from './call-paths.ts';
import type { PermissionRequest } from './decide.ts';
import { mentionsToolpost, readShellLine, type ShellLine, type ShellParser } from './shell-line.ts';

/** What a rule's pattern is compared with: a shell line's commands, paths, or the text of the primary argument. */
export type PatternKind = 'shell' | 'path' | 'text';

const SHELL_NAMES = new Set(['bash', 'sh', 'shell', 'zsh']);
const SHELL_ARGUMENT = 'command';

export function patternKindOf({ definition }: RegisteredTool): PatternKind {
  const { name, primaryArg } = definition;
  if (primaryArg === SHELL_ARGUMENT || SHELL_NAMES.has(name.toLowerCase())) return 'shell';
  return primaryArg !== undefined && isPathArgument(primaryArg) ? 'path' : 'text';
}

/** Whether a call of the tool may name a file, by its schema; true where the schema does not list its properties. */
export function takesPaths({ definition }: RegisteredTool): boolean {
  const { inputSchema, primaryArg } = definition;
  const { properties } = inputSchema;
  if (!isJsonObject(properties) || COMPOSED.some((keyword) => Object.hasOwn(inputSchema, keyword))) return true;
  return (primaryArg !== undefined && isPathArgument(primaryArg)) || Object.keys(properties).some(isPathArgument);
}

const COMPOSED = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas'];

/** What an allow rule has to cover, each by itself: a path, or one text in its spellings. */
export type CallPart = CallPath | readonly string[];

/** One call as the rules see it. Each form is made when the first rule needs it. */
export class CallSubject {
  readonly request: PermissionRequest;
  readonly kind: PatternKind;
  readonly #style: PathStyle;
  readonly #parser: ShellParser | undefined;
  #paths: readonly CallPath[] | undefined;
  #places: readonly CallPath[] | undefined;
  #line: ShellLine | undefined;

  constructor(
    request: PermissionRequest,
    parts: { kind: PatternKind; style: PathStyle; parser: ShellParser | undefined },
  ) {
    this.request = request;
    this.kind = parts.kind;
    this.#style = parts.style;
    this.#parser = parts.parser;
  }

  /**
   * Every path that the call names, as written and, where the caller resolved it, as it really is: what ask and deny rules
   * are tried on.
   */
  get paths(): readonly CallPath[] {
    if (!this.#paths) {
      const { input, realPaths = [] } = this.request;
      this.#paths = [...pathTexts(input), ...realPaths].map((text) => this.locate(text));
    }
    return this.#paths;
  }

  /**
   * Where the call's files really are, as far as the caller resolved that, else as written: what an allow rule has to
   * cover and what has to lie in the roots. A root may be given by a link, and a path that says so is inside.
   */
  get places(): readonly CallPath[] {
    const { realPaths } = this.request;
    if (realPaths === undefined) return this.paths;
    this.#places ??= [...this.paths.filter(({ tooLong }) => tooLong), ...realPaths.map((text) => this.locate(text))];
    return this.#places;
  }

  locate(text: string): CallPath {
    return locatePath(text, this.request.session, this.#style);
  }

  /** The primary argument's text, when it is one. */
  get primaryText(): string | undefined {
    const { tool, input } = this.request;
    const name = tool.definition.primaryArg ?? (this.kind === 'shell' ? SHELL_ARGUMENT : undefined);
    const value = name === undefined ? undefined : input[name];
    return typeof value === 'string' ? value : undefined;
  }

  /**
   * Whether allow rules may be tried at all. `call` answers its own asks with yes, so a line that runs `toolpost` could
   * allow anything to itself.
   */
  get isAllowable(): boolean {
    const { kind, primaryText } = this;
    return kind !== 'shell' || (primaryText !== undefined && !mentionsToolpost(primaryText));
  }

  /** What allow rules with a pattern have to cover together; empty when none can. */
  get parts(): readonly CallPart[] {
    const { kind, primaryText } = this;
    if (kind === 'path') return this.places;
    if (kind === 'shell') return this.line.plain ?? [];
    return primaryText === undefined ? [] : [[primaryText]];
  }

  /**
   * Every text that an ask or deny rule is tried on. Without a primary argument, or with one that is not a text, that
   * is every argument: such a rule rather asks too often than never.
   */
  get texts(): readonly string[] {
    const { primaryText } = this;
    return primaryText === undefined ? argumentTexts(this.request.input) : [primaryText];
  }

  /** The shell line of a tool of kind `shell`. */
  get line(): ShellLine {
    this.#line ??= this.#readLine();
    return this.#line;
  }

  #readLine(): ShellLine {
    const { primaryText } = this;
    if (primaryText !== undefined) return readShellLine(primaryText, this.#parser);
    return { texts: this.texts.flatMap((text) => readShellLine(text, this.#parser).texts) };
  }
}

function argumentTexts(input: JsonObject): string[] {
  return Object.values(input).flatMap((value) => {
    const texts = textsIn(value);
    return texts.length > 0 || value === undefined || value === null ? texts : [JSON.stringify(value)];
  });
}
