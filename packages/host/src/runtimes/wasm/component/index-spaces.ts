import { MalformedComponent } from './byte-reader.ts';
import type { ComponentItem, DefinedType, FunctionType, Items, ValueType } from './component-types.ts';

type Sort = ComponentItem['sort'];
/** The sorts by their byte in the binary format; 0x00 is everything of core WebAssembly. */
const SORTS: readonly Sort[] = ['other', 'function', 'other', 'type', 'component', 'instance'];

export function sortOf(byte: number): Sort {
  const sort = SORTS[byte];
  if (sort === undefined) throw new MalformedComponent(`it uses the unknown sort ${byte}`);
  return sort;
}

/** The numbered things of one component or type: what is defined later refers to them by sort and index. */
export class IndexSpaces {
  readonly parent: IndexSpaces | undefined;
  readonly #spaces = new Map<Sort, ComponentItem[]>();

  constructor(parent?: IndexSpaces) {
    this.parent = parent;
  }

  add(item: ComponentItem): void {
    if (item.sort === 'other') return;
    const space = this.#spaces.get(item.sort);
    if (space) space.push(item);
    else this.#spaces.set(item.sort, [item]);
  }

  item(sort: Sort, index: number): ComponentItem {
    if (sort === 'other') return { sort };
    const item = this.#spaces.get(sort)?.[index];
    if (item === undefined) throw new MalformedComponent(`it refers to ${sort} ${index}, which is not defined`);
    return item;
  }

  /** The spaces `count` levels outside. */
  outer(count: number): IndexSpaces {
    let spaces: IndexSpaces = this;
    for (let level = 0; level < count; level += 1) {
      if (spaces.parent === undefined) throw new MalformedComponent('it refers to something outside of itself');
      spaces = spaces.parent;
    }
    return spaces;
  }

  definedType(index: number): DefinedType {
    const item = this.item('type', index);
    if (item.sort !== 'type') throw new MalformedComponent(`type ${index} is none`);
    return item.type;
  }

  valueType(index: number): ValueType {
    const defined = this.definedType(index);
    if (defined.of === 'value') return defined.type;
    throw new MalformedComponent(`type ${index} is not one of a value`);
  }

  functionType(index: number): FunctionType {
    const defined = this.definedType(index);
    if (defined.of === 'function') return defined.type;
    throw new MalformedComponent(`type ${index} is not one of a function`);
  }

  /** What an instance has, or what an instance of a component will have. */
  itemsOf(sort: 'instance' | 'component', index: number): Items {
    const item = this.item(sort, index);
    if (item.sort === 'instance' || item.sort === 'component') return item.items;
    throw new MalformedComponent(`${sort} ${index} is none`);
  }
}
