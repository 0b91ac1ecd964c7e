import type { TurnUsage } from '@toolpost/host';
import { SHORT_ID_CHARS } from '../../session-columns.ts';
import { cutLine, type Line, lineWidth, type Span, span } from './line.ts';
import type { Theme } from './theme.ts';

export interface Status {
  readonly model: string;
  readonly sessionId: string;
  /** Of the last turn and of the session; undefined before anything was counted. */
  readonly usage: { readonly turn: TurnUsage; readonly session: TurnUsage } | undefined;
  readonly plugins: { readonly count: number; readonly failing: readonly string[] } | undefined;
  /** Whether the server answers, where the session is one's. */
  readonly isConnected: boolean;
  /** What a person may do next. */
  readonly hint: string;
}

const BETWEEN = '  ';
const count = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** The one line below everything. What does not fit is left out from the right. */
export function statusLine(status: Status, { width, theme }: { width: number; theme: Theme }): Line {
  const parts = [connectionPart, modelPart, sessionPart, tokensPart, pluginsPart]
    .map((part) => part(status, theme))
    .filter((part) => part.length > 0);
  const left = parts.flatMap((part, index) => (index === 0 ? part : [span(BETWEEN), ...part]));
  const room = width - lineWidth(left) - BETWEEN.length;
  const hint = span(status.hint, theme.faint);
  if (lineWidth([hint]) > room) return cutLine(left, width);
  return [...left, span(' '.repeat(room + BETWEEN.length - lineWidth([hint]))), hint];
}

type Part = (status: Status, theme: Theme) => Span[];

const connectionPart: Part = ({ isConnected }, theme) => (isConnected ? [] : [span('● disconnected', theme.bad)]);

const modelPart: Part = ({ model }, theme) => [span(shortModel(model) || 'model of the server', theme.accent)];

const sessionPart: Part = ({ sessionId }, theme) => [span(sessionId.slice(0, SHORT_ID_CHARS), theme.faint)];

const tokensPart: Part = ({ usage }, theme) => {
  if (!usage || usage.session.totalTokens === 0) return [];
  const { turn, session } = usage;
  const before = session.totalTokens > turn.totalTokens ? ` of ${tokens(session)}` : '';
  return [span(`${tokens(turn)}${before}`, theme.faint)];
};

const pluginsPart: Part = ({ plugins }, theme) => {
  if (!plugins) return [];
  const all = span(`${plugins.count} plugin${plugins.count === 1 ? '' : 's'}`, theme.faint);
  return plugins.failing.length === 0 ? [all] : [all, span(` ✗ ${plugins.failing.join(', ')}`, theme.bad)];
};

function tokens({ inputTokens, outputTokens }: TurnUsage): string {
  return `↑${count.format(inputTokens)} ↓${count.format(outputTokens)}`;
}

/** A model without the address that it is reached at. */
export function shortModel(model: string): string {
  return model.replace(/@.*$/, '');
}
