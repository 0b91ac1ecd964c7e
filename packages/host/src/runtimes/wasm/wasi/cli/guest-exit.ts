/** Thrown through the guest by its `exit`, to whoever called it. The instance is of no use after it. */
export class GuestExit extends Error {
  override readonly name = 'GuestExit';
  readonly status: number;

  constructor(status: number) {
    super(`the plugin exited with status ${status}`);
    this.status = status;
  }
}
