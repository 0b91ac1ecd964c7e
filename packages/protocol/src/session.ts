/**
 * One conversation. Its key is (tenant, channel, chatId); `roots` are the absolute real paths of the workspace
 * directories it grants to tools, the first one being where relative paths start. Unset texts are "".
 */
export interface Session {
  readonly id: string;
  readonly tenant: string;
  readonly channel: string;
  readonly chatId: string;
  readonly user: string;
  readonly roots: readonly string[];
  /** Those among `roots` in which the file tools change nothing. Programs that run with the user's rights are not held. */
  readonly readOnlyRoots?: readonly string[];
  /** How else the user calls some of `roots`; tools are told of the real paths. */
  readonly rootSpellings?: readonly RootSpelling[];
}

/** Another absolute path of a root, which leads to it through a link. */
export interface RootSpelling {
  readonly root: string;
  readonly spelling: string;
}
