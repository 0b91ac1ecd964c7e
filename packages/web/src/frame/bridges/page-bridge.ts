import { listenForActions } from '../actions.ts';
import { type ECharts, setEChartsSource } from '../echarts-source.ts';
import { toFailure } from '../genui/error-place.ts';
import { createModuleLoader } from '../genui/load-module.ts';
import { watchHeight } from '../height.ts';
import { CONNECT, type FromFrame, type ToFrame } from '../messages.ts';
import { becomeApp } from '../modes/become-app.ts';
import { createNotice } from '../notice.ts';
import type { Places } from '../places.ts';
import { setScheme } from '../scheme.ts';
import { createStage } from '../stage.tsx';

/** Waits for the page around the frame, which hands over a port once; all else that anybody sends is left alone. */
export function waitForPage(places: Places): void {
  const onMessage = ({ source, data, ports: [port] }: MessageEvent): void => {
    if (source !== parent || data !== CONNECT || !port) return;
    removeEventListener('message', onMessage);
    connect(port, places);
  };
  addEventListener('message', onMessage);
}

function connect(port: MessagePort, { root, notice }: Places): void {
  // What is drawn may change the ways of every object of this window, also those of the port.
  const post = port.postMessage.bind(port) as (message: FromFrame) => void;
  const loader = createModuleLoader();
  setEChartsSource(() => loader.lib('echarts') as ECharts | undefined);
  let version = 0;
  let actions = 0;
  const stage = createStage(root, loader, {
    onShown: (shown, compileMs) => post({ type: 'shown', version: shown, compileMs }),
    onFailed: (failed, failure) => post({ type: 'failed', version: failed, ...failure }),
  });
  const say = createNotice(notice);
  const tellOfError = (error: unknown) => post({ type: 'failed', version, ...toFailure(error, 'event') });

  function take(message: ToFrame): void {
    switch (message.type) {
      case 'ping':
        post({ type: 'pong', id: message.id });
        break;
      case 'scheme':
        document.body.classList.toggle('in-panel', message.isPanel);
        setScheme(message.scheme);
        break;
      case 'lib':
        loader.addLib(message.name, message.text);
        break;
      case 'show':
        version = message.version;
        stage.show(message);
        break;
      case 'app':
        becomeApp(message.html);
        break;
      case 'action-end':
        say(message.text, message.isError);
        break;
    }
  }

  port.onmessage = ({ data }) => take(data as ToFrame);
  addEventListener('error', ({ error, message }) => tellOfError(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => tellOfError(reason));
  listenForActions((action) => {
    actions += 1;
    post({ type: 'action', id: actions, ...action });
  });
  watchHeight(root, (height) => post({ type: 'height', height }));
  post({ type: 'ready' });
}
