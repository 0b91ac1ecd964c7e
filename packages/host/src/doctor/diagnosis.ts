/** What stands between a plugin and its use, in the order in which it has to pass. */
export const GATES = ['found', 'trusted', 'enabled', 'configured', 'permitted', 'started', 'visible'] as const;
export type GateName = (typeof GATES)[number];

/** A gate that is closed. */
export interface ClosedGate {
  readonly gate: GateName;
  /** One clause. */
  readonly reason: string;
  /** The line that opens it: of a file, or a command. */
  readonly remedy: string;
  /** The user has asked for what it keeps away. A gate that the user has closed is only told of. */
  readonly isFault: boolean;
}

/** A tool of a plugin, as the session has it. */
export interface ToolDiagnosis {
  readonly name: string;
  /** Why the session does not get it; absent where it does. */
  readonly closed?: ClosedGate;
  /** What a person should know of one that it gets. */
  readonly note?: string;
}

export interface PluginDiagnosis {
  readonly id: string;
  /** "" where there is none. */
  readonly runtime: string;
  readonly origin: string;
  readonly dir: string;
  /** Closed gates in their order; empty where all are open. */
  readonly closed: readonly ClosedGate[];
  readonly tools: readonly ToolDiagnosis[];
  /** What of it is accepted and has no effect, one clause each; absent where there is nothing of the kind. */
  readonly notes?: readonly string[];
}

/** Something of the machine that parts of the host stand on. */
export interface MachineCheck {
  readonly name: string;
  readonly isFine: boolean;
  /** One line. */
  readonly text: string;
  readonly remedy?: string;
  /** Something that was found or configured needs it. */
  readonly isFault: boolean;
}

export interface Diagnosis {
  /** False when something that the user asked for is closed or missing. */
  readonly isFine: boolean;
  readonly machine: readonly MachineCheck[];
  readonly plugins: readonly PluginDiagnosis[];
}

export function isFine(machine: readonly MachineCheck[], plugins: readonly PluginDiagnosis[]): boolean {
  const faults = plugins.flatMap(({ closed, tools }) => [...closed, ...tools.flatMap((tool) => tool.closed ?? [])]);
  return !machine.some((check) => check.isFault) && !faults.some((gate) => gate.isFault);
}
