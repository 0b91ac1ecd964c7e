/** The resources of wasi:cli's terminals. A guest is never connected to one, so that there is no instance of either. */
export class TerminalInput {}
export class TerminalOutput {}
