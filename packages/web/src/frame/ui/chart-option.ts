export type Option = Readonly<Record<string, unknown>>;

export interface DrawnBefore {
  readonly option: Option;
  /** The whole state of the chart, as the library gives it. */
  readonly state: Option | undefined;
}

/**
 * What a chart is to be set to: `option`, with what its reader has chosen in the one before, as far as the option says the same of it:
 * which series are shown, and the part that is zoomed to.
 */
export function nextOption(option: Option, before: DrawnBefore | undefined): Option {
  return {
    backgroundColor: 'transparent',
    ...option,
    ...kept('legend', ['selected'], { option, before }),
    ...kept('dataZoom', ['start', 'end'], { option, before }),
  };
}

interface Change {
  readonly option: Option;
  readonly before: DrawnBefore | undefined;
}

function kept(part: string, keys: readonly string[], { option, before }: Change): Option {
  const given = option[part];
  if (!before?.state || typeof given !== 'object' || given === null || !isSame(given, before.option[part])) return {};
  const states = [before.state[part]].flat() as (Option | undefined)[];
  const parts = [given].flat() as Option[];
  return {
    [part]: parts.map((one, at) => {
      const chosen = keys.flatMap((key) => (states[at]?.[key] === undefined ? [] : [[key, states[at]?.[key]]]));
      return { ...one, ...Object.fromEntries(chosen) };
    }),
  };
}

/** Whether two options draw the same. What has functions in it may not, as they see other values each time. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [text, otherText] = [asText(one), asText(other)];
  return text !== undefined && text === otherText;
}

function asText(value: unknown): string | undefined {
  let hasFunction = false;
  try {
    const text = JSON.stringify(value, (_key, inner: unknown) => {
      hasFunction ||= typeof inner === 'function';
      return inner;
    });
    return hasFunction ? undefined : text;
  } catch {
    return undefined;
  }
}
