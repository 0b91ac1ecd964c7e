import type { LogLevel } from '@toolpost/sdk';
import type { Exchange } from './exchange.ts';
import { notificationMessage } from './write-message.ts';

/** Least severe first. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

type McpLogLevel = (typeof LOG_LEVELS)[number];

const LEVEL_OF: Readonly<Record<LogLevel, McpLogLevel>> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
};

/** Tells a client what a tool logs, where it asked for that; undefined where it did not. */
export function createLogNotes(
  exchange: Exchange,
  logger: string,
): ((message: string, level: LogLevel) => void) | undefined {
  const least = (LOG_LEVELS as readonly (string | undefined)[]).indexOf(exchange.logLevel);
  if (least === -1) return undefined;
  return (data, level) => {
    const severity = LEVEL_OF[level];
    // A log is nobody's answer: a client that is behind goes without.
    if (LOG_LEVELS.indexOf(severity) < least || exchange.isBehind) return;
    exchange.notify(notificationMessage('notifications/message', { level: severity, logger, data }));
  };
}
