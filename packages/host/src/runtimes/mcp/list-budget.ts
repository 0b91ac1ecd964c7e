/** Of all that one list of a server says. A thousand long definitions fit; a list that is larger is read by no model. */
export const MAX_LIST_CHARACTERS = 16 * 1024 * 1024;

/** How much of a list may still be kept, in characters of JSON. */
export interface ListBudget {
  readonly isSpent: boolean;
  /** Whether there is room for one more of the list's items; the first one without room spends the rest. */
  takes(item: unknown): boolean;
}

/** Each item is bounded by itself; a server can list thousands of them, page by page. */
export function createListBudget(characters = MAX_LIST_CHARACTERS): ListBudget {
  let left = characters;
  return {
    get isSpent() {
      return left < 0;
    },
    takes(item) {
      if (left >= 0) left -= JSON.stringify(item).length;
      return left >= 0;
    },
  };
}
