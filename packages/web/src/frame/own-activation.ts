/** As the browser has it, whatever code in this window puts in its place later. Old browsers tell nothing. */
const readActivation = Object.getOwnPropertyDescriptor(
  (globalThis as { readonly UserActivation?: { readonly prototype: object } }).UserActivation?.prototype ?? {},
  'isActive',
)?.get?.bind(navigator.userActivation) as (() => boolean) | undefined;

/** Whether somebody has pressed something in this very window lately: what is done in the page around it does not count here. */
export function isPressedHere(event?: Event): boolean {
  return readActivation?.() ?? event?.isTrusted ?? true;
}
