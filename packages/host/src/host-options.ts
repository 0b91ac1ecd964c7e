import type { Tool } from '@toolpost/sdk';

export interface HostOptions {
  /** Where TOOLPOST_HOME, keys and what plugins may see come from; this process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Takes the place of the home's config.json. */
  readonly configFile?: string | undefined;
  /** Folders of plugins, or plugin folders: consent for this run. */
  readonly pluginDirs?: readonly string[];
  /** The folder of the bundled plugins; none when absent. */
  readonly bundledDir?: string | undefined;
  /** The directories that sessions grant to tools; the current one when absent. */
  readonly roots?: readonly string[] | undefined;
  /** Tools of the program that embeds the host: plugin `app`, before every other global one. */
  readonly tools?: readonly Tool[];
  /** Rules that allow, beside those of the configuration. */
  readonly allow?: readonly string[];
  /** Every `ask` counts as answered yes. A deny still denies. */
  readonly yes?: boolean;
  /** The folder of `toolpost.py`; the host's own copy when absent. */
  readonly pythonDir?: string;
  /** Whether a plugin that does not work is a warning too; true when absent. */
  readonly warnsOfBroken?: boolean;
  /**
   * Whether spans hold arguments and results of calls; when absent, as the environment's
   * OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT says, which is no.
   */
  readonly recordsContent?: boolean;
  /** Gets each warning once, as one line. They are dropped when absent. */
  readonly onWarning?: (message: string) => void;
}
