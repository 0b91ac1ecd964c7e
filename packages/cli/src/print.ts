/** Writes to stdout and resolves when it was taken, so that a large output is whole before the process ends. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
