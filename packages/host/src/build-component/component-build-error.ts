/** A component that could not be built. The message names the file and what to do. */
export class ComponentBuildError extends Error {
  override readonly name = 'ComponentBuildError';
}
