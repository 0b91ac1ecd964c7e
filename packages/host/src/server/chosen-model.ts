import { resolveModel } from '../models/resolve-model.ts';
import type { Principal } from './principal.ts';
import { Problem } from './problem.ts';

/**
 * Checks a model that a request names, so that it fails before anything runs.
 * @throws Problem FORBIDDEN for an address by one who is not the operator: the operator's key would be sent there.
 * @throws HostError MODEL_FAILED
 */
export async function assertUsable(
  model: string | undefined,
  { isOperator }: Principal,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (model === undefined) return;
  if (!isOperator && /@|:\/\//.test(model))
    throw new Problem(403, 'FORBIDDEN', 'a model with an address is for the operator of this server to choose');
  await resolveModel(model, { environment });
}
