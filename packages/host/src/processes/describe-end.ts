import type { ProcessExit } from './start-process.ts';

export interface EndedProcess {
  pluginId: string;
  commandLine: string;
  /** Undefined when it closed a pipe and went on running. */
  exit: ProcessExit | undefined;
  stderrLines: readonly string[];
  logPath: string;
}

/** Why a plugin's process ended by itself: status, last words, command line, and where to look. */
export function describeEnd({ pluginId, commandLine, exit, stderrLines, logPath }: EndedProcess): string {
  const lines = [`The plugin ${pluginId} ${describeExit(exit)}.`];
  if (stderrLines.length > 0) lines.push('Its last lines on stderr:', ...stderrLines.map((line) => `  ${line}`));
  lines.push(
    `Command: ${commandLine}`,
    hintFor(exit, stderrLines) ?? `Its whole log is in ${logPath}; the next call starts it again.`,
  );
  return lines.join('\n');
}

function describeExit(exit: ProcessExit | undefined): string {
  if (exit === undefined) return 'closed its standard input or output and went on running, so it was ended';
  if (exit.signal !== null) return `was ended by ${exit.signal}`;
  return `exited with status ${exit.code}`;
}

function hintFor(exit: ProcessExit | undefined, stderrLines: readonly string[]): string | undefined {
  const text = stderrLines.join('\n');
  const [, python] = /ModuleNotFoundError: No module named '([^']+)'/.exec(text) ?? [];
  if (python !== undefined) return `Install the Python module ${python} for the interpreter of this command.`;
  const [, node] = /ERR_MODULE_NOT_FOUND[\s\S]*?'([^']+)'|Cannot find (?:module|package) '([^']+)'/.exec(text) ?? [];
  if (node !== undefined) return `Install ${node} in the plugin's folder, or correct its import.`;
  if (exit?.code === 127) return 'Status 127 says that a program was not found: check what the command starts.';
  if (exit?.signal === 'SIGKILL') return 'Something else killed it; a system that runs out of memory does that.';
  return undefined;
}
