import log from 'toolpost:plugin/log@0.1.0';
import { createPacedLog } from '@toolpost/protocol';
import type { LogLevel } from '../tool-call-context.ts';

/** The plugin's log. What a flood has too much of does not leave the component: the way out costs more than the line. */
export const guestLog = createPacedLog((message, level) => log.write(level, message.toWellFormed()), Date.now);

/** `console` of a component: the plugin's log. */
export const guestConsole = {
  debug: writer('debug'),
  log: writer('info'),
  info: writer('info'),
  warn: writer('warn'),
  error: writer('error'),
  trace: writer('debug'),
};

let isRunning = false;

/** There is no log while the component is built: what its modules print when they are loaded is dropped until this. */
export function openConsole(): void {
  isRunning = true;
}

function writer(level: LogLevel): (...parts: unknown[]) => void {
  return (...parts) => {
    if (isRunning) guestLog.write(parts.map(shown).join(' '), level);
  };
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack ? `${value.name}: ${value.message}\n${value.stack}` : String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
