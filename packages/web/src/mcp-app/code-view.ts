import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { type ECharts, setEChartsSource } from '../frame/echarts-source.ts';
import { createModuleLoader } from '../frame/genui/load-module.ts';
import { type Failure, FRAME_MODES, type FrameMode } from '../frame/messages.ts';
import { createStage } from '../frame/stage.tsx';
import { type AppSettings, readAppLibs } from './app-settings.ts';
import type { AppView } from './app-view.ts';

/** Shows the code that a tool draws: the argument as it comes, then what the result says. */
export function createCodeView(
  root: HTMLElement,
  { mode, param }: AppSettings,
  say: (text: string, isError: boolean) => void,
): AppView {
  const loader = createModuleLoader();
  for (const [name, text] of readAppLibs()) loader.addLib(name, text);
  setEChartsSource(() => loader.lib('echarts') as ECharts | undefined);
  const stage = createStage(root, loader, {
    onShown: () => undefined,
    onFailed: (_version, failure) => say(inWords(failure), true),
  });
  let version = 0;
  let shown: string | undefined;

  function show(code: unknown, isFinal: boolean): void {
    if (typeof code !== 'string' || (code === shown && !isFinal)) return;
    shown = code;
    version += 1;
    stage.show({ version, mode: modeOf(mode), code, isFinal });
  }

  return {
    showArguments: (given, isWhole) => show(param === undefined ? undefined : given[param], isWhole),
    showResult: (result) => show(drawnBy(result), true),
    showCode: (code) => show(code, true),
  };
}

/** One that is not known is shown as the text that it is. */
function modeOf(mode: string): FrameMode {
  return FRAME_MODES.find((known) => known === mode) ?? 'markdown';
}

function drawnBy({ _meta: meta, structuredContent }: JsonObject): unknown {
  const metadata = isJsonObject(meta) ? meta['toolpost/metadata'] : undefined;
  const code = isJsonObject(metadata) ? metadata.ui_code : undefined;
  return code ?? (isJsonObject(structuredContent) ? structuredContent.ui_code : undefined);
}

function inWords({ message, line }: Failure): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
