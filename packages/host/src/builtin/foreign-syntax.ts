/**
 * What other tools' regular expressions have and JavaScript reads as something else without a word: such a pattern finds
 * nothing, or the wrong lines. `isSure` ones have no sensible meaning here; the others are told of where nothing was found.
 */
const FOREIGN: readonly { readonly form: RegExp; readonly advice: string; readonly isSure: boolean }[] = [
  {
    form: /\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/,
    advice: 'is no class of JavaScript: use \\s for [:space:], \\d for [:digit:], a-zA-Z for [:alpha:]',
    isSure: true,
  },
  { form: /\\[AzZ]/, advice: 'is no edge in JavaScript: use ^ or $', isSure: true },
  { form: /\\[QE]/, advice: 'quotes nothing in JavaScript: escape each special character with \\', isSure: true },
  { form: /\\h/, advice: 'is no class of JavaScript: use [ \\t]', isSure: true },
  { form: /\\\|/, advice: 'is the character itself: for either of two write a|b', isSure: false },
  { form: /\\[<>]/, advice: "is the character itself: for a word's edge write \\b", isSure: false },
];

/** A note for each construct of the pattern that does not mean here what it means elsewhere. */
export function foreignSyntax(pattern: string, hasFound: boolean): string[] {
  // Escaped backslashes begin no escape.
  const text = pattern.replaceAll('\\\\', '');
  return FOREIGN.flatMap(({ form, advice, isSure }) => {
    const found = isSure || !hasFound ? form.exec(text)?.[0] : undefined;
    return found === undefined ? [] : [`(${found} ${advice})`];
  });
}
