import { isJsonObject, type ShownUi, UI_CODE_MODES, UI_LIBS, uiCodeMode } from '@toolpost/protocol';
import type { FrameMode } from '../frame/messages.ts';
import { type CallEntry, isEnded } from '../session/entries.ts';

/** What a call draws, as far as it is known now. */
export interface ShownInterface {
  readonly mode: FrameMode;
  readonly libs: readonly string[];
  readonly surface: 'inline' | 'panel';
  readonly code: string;
  /** Whether no more of the code comes. */
  readonly isFinal: boolean;
}

/**
 * The interface of a call: the code that its result carries, else the argument that its tool names, else what came so far
 * while the model wrote it. Undefined when the call draws nothing in a frame. `toolUi` is what its tool says of itself now,
 * for calls that were kept before events did.
 */
export function interfaceOf(call: CallEntry, toolUi: unknown): ShownInterface | undefined {
  const { record, drawn } = call;
  // A call that was refused or failed drew nothing that counts: its error is shown.
  if (record?.isError) return undefined;
  const isFinal = isEnded(call);
  const ui = call.ui ?? drawn ?? readUi(toolUi);
  const kept = call.updatedCode ?? textOf(record?.metadata?.ui_code);
  const mode = kept === undefined ? UI_CODE_MODES.find((one) => one === ui?.mode) : uiCodeMode(ui?.mode, kept);
  if (mode === undefined) return undefined;
  const written =
    call.startedAt === undefined ? undefined : argumentOf(call.argumentsText, call.ui?.param ?? paramOf(toolUi));
  const code = kept ?? (isFinal && !record ? undefined : (written ?? drawn?.code));
  if (code === undefined || code.trim() === '') return undefined;
  const libs = UI_LIBS.filter((name) => ui?.libs.includes(name) || (mode === 'chart' && name === 'echarts'));
  return { mode, libs, surface: ui?.surface === 'panel' ? 'panel' : 'inline', code, isFinal };
}

function readUi(value: unknown): Pick<ShownUi, 'mode' | 'libs' | 'surface'> | undefined {
  if (!isJsonObject(value) || typeof value.mode !== 'string') return undefined;
  const libs = Array.isArray(value.libs) ? value.libs.filter((one) => typeof one === 'string') : [];
  return { mode: value.mode, libs, surface: value.surface === 'panel' ? 'panel' : 'inline' };
}

function paramOf(toolUi: unknown): string | undefined {
  return isJsonObject(toolUi) ? textOf(toolUi.param) : undefined;
}

function argumentOf(text: string, param: string | undefined): string | undefined {
  if (param === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && Object.hasOwn(value, param) ? textOf(value[param]) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
