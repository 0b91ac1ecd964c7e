import { isJsonObject, type JsonObject, uiCodeMode } from '@toolpost/protocol';
import { type ECharts, setEChartsSource } from '../frame/echarts-source.ts';
import { createModuleLoader } from '../frame/genui/load-module.ts';
import type { Failure } from '../frame/messages.ts';
import { createStage } from '../frame/stage.tsx';
import { textOf } from './app-actions.ts';
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
  let isWhole = false;

  function show(code: unknown, isFinal: boolean): void {
    if (typeof code !== 'string' || (code === shown && (isWhole || !isFinal))) return;
    shown = code;
    isWhole = isFinal;
    version += 1;
    stage.show({ version, mode: uiCodeMode(mode, code) ?? 'markdown', code, isFinal });
  }

  return {
    showArguments: (given, isWhole) => show(param === undefined ? undefined : given[param], isWhole),
    showResult(result) {
      const code = result.isError === true ? undefined : (drawnBy(result) ?? shown);
      if (typeof code === 'string' && code.trim() !== '') show(code, true);
      else {
        shown = undefined;
        stage.showText(textOf(result), result.isError === true);
      }
    },
    showCode: (code) => show(code, true),
  };
}

function drawnBy({ _meta: meta, structuredContent }: JsonObject): unknown {
  const metadata = isJsonObject(meta) ? meta['toolpost/metadata'] : undefined;
  const code = isJsonObject(metadata) ? metadata.ui_code : undefined;
  return code ?? (isJsonObject(structuredContent) ? structuredContent.ui_code : undefined);
}

function inWords({ message, line }: Failure): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
