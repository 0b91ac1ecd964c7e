const { stdout, stderr } = process;
const writeOut = stdout.write.bind(stdout);

/**
 * Keeps what plugins print in this process (`console.log` of a native one) out of the output, which programs read: from
 * here on only `print` and `printNow` write to stdout, everything else goes to stderr. A terminal shows both anyway.
 */
export function ownStdout(): void {
  if (!stdout.isTTY) stdout.write = stderr.write.bind(stderr);
}

/** Writes to stdout and resolves when it was taken, so that a large output is whole before the process ends. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    writeOut(text, () => resolve());
  });
}

/** Writes to stdout without waiting, in order with `print`. */
export function printNow(text: string): void {
  writeOut(text);
}
