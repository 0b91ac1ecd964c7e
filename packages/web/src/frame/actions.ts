import type { FrameAction } from './messages.ts';
import { isPressedHere } from './own-activation.ts';

/**
 * Sends `data-action` of what is pressed and of forms, with their other `data-*` and what was filled in. What code presses while
 * nobody has pressed anything here is no action.
 */
export function listenForActions(send: (action: Omit<FrameAction, 'id'>) => void): void {
  document.addEventListener('click', (event) => {
    const mayAct = isPressedHere(event);
    const target = event.target instanceof Element ? event.target : undefined;
    const submitter = target?.closest<HTMLButtonElement | HTMLInputElement>('button, input[type=submit]');
    // A frame may send no form, so a form's button does it by itself.
    if (submitter?.form && submitter.type === 'submit') {
      event.preventDefault();
      if (mayAct) submit(submitter.form, submitter, send);
      return;
    }
    const acting = target?.closest<HTMLElement>('[data-action]');
    if (mayAct && acting && !(acting instanceof HTMLFormElement)) send(actionOf(acting, {}));
    // A link leads nowhere: the frame cannot leave its place.
    if (target?.closest('a')) event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    if (event.key !== 'Enter' || !(target instanceof HTMLInputElement) || !target.form || event.isComposing) return;
    if (['checkbox', 'radio', 'button', 'submit', 'reset', 'file'].includes(target.type)) return;
    event.preventDefault();
    if (isPressedHere(event)) submit(target.form, undefined, send);
  });
}

function submit(
  form: HTMLFormElement,
  submitter: HTMLElement | undefined,
  send: (action: Omit<FrameAction, 'id'>) => void,
): void {
  if (!form.noValidate && !form.reportValidity()) return;
  form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter: submitter ?? null }));
  const acting = submitter?.dataset.action === undefined ? form : submitter;
  if (acting.dataset.action !== undefined) send(actionOf(acting, fieldsOf(form)));
}

function actionOf(element: HTMLElement, fields: Readonly<Record<string, unknown>>): Omit<FrameAction, 'id'> {
  const { action = '', ...data } = element.dataset;
  return { action, data: { ...data, ...fields } };
}

/** Boxes are true or false, numbers are numbers, and a name that stands there twice is a list. */
function fieldsOf(form: HTMLFormElement): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const control of form.elements) {
    if (
      !(
        control instanceof HTMLInputElement ||
        control instanceof HTMLTextAreaElement ||
        control instanceof HTMLSelectElement
      )
    )
      continue;
    const { name } = control;
    if (name === '' || control.disabled || (control.type === 'radio' && !(control as HTMLInputElement).checked))
      continue;
    const value = readValue(control);
    if (value === undefined) continue;
    const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
    Object.defineProperty(fields, name, {
      ...{ enumerable: true, configurable: true, writable: true },
      value: before === undefined ? value : [before, value].flat(),
    });
  }
  return fields;
}

function readValue(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): unknown {
  if (control instanceof HTMLSelectElement)
    return control.multiple ? [...control.selectedOptions].map(({ value }) => value) : control.value;
  if (control.type === 'checkbox') return (control as HTMLInputElement).checked;
  if (control.type === 'number' || control.type === 'range')
    return control.value === '' ? null : (control as HTMLInputElement).valueAsNumber;
  return ['button', 'submit', 'reset', 'file', 'image'].includes(control.type) ? undefined : control.value;
}
