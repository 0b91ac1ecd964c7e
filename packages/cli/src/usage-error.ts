/** Wrong usage of the command: one line that names the flag or path and says what to do. The exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
