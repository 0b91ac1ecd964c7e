import { get } from 'node:http';

interface EventRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once the answer has begun. */
  readonly onOpen?: () => void;
}

/** Of what comes, the part that is looked at: both servers send more or less of it. */
export interface ReadEvent {
  readonly type: string;
  readonly text?: string;
  readonly sessionId?: string;
  readonly seq?: number;
  readonly message?: string;
}

const DATA = 'data: {';

/** Reads server-sent events with as little as possible around it, until one of them ends the turn. */
export function readEvents(
  { url, headers = {}, onOpen }: EventRequest,
  onEvent: (event: ReadEvent) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      onOpen?.();
      let begun = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        const lines = `${begun}${part}`.split('\n');
        begun = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith(DATA)) take(JSON.parse(line.slice(DATA.length - 1)));
      });
      response.on('close', () => reject(new Error(`${url} ended before the turn`)));
    });
    request.on('error', reject);

    function take(event: ReadEvent): void {
      try {
        onEvent(event);
        if (event.type === 'turn-error') throw new Error(event.message);
        if (event.type === 'turn-end') resolve();
      } catch (error) {
        reject(error);
      }
      if (event.type === 'turn-end' || event.type === 'turn-error') request.destroy();
    }
  });
}
