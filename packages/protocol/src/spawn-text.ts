/** What a command that ended said. `exitCode` is -1 when a signal ended it. */
export interface SpawnOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The text that seed B's `spawn` gives. */
export function spawnText({ exitCode, stdout, stderr }: SpawnOutcome): string {
  return `Exit code: ${exitCode}\nStdout:\n${linesOf(stdout)}Stderr:\n${linesOf(stderr)}`;
}

/** Each line ends with LF, the last one too; none at all is no text. */
function linesOf(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}
