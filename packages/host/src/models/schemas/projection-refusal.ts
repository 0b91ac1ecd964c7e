/** Why a schema cannot be written for a provider. The message goes on after "its input schema cannot be offered: ". */
export class ProjectionRefusal extends Error {
  override readonly name = 'ProjectionRefusal';
}
