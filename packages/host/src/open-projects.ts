import { describeTrust } from './trust/describe-trust.ts';
import type { ProjectFiles } from './trust/project-files.ts';
import type { TrustStore } from './trust/trust-store.ts';

export interface OpenProjects {
  /** Roots whose project files a person has accepted, as they were read just now. */
  readonly trusted: readonly ProjectFiles[];
  readonly warnings: readonly string[];
}

/** Nothing inside a root is loaded or obeyed until a person accepts it (design section 5). */
export function openProjects(roots: readonly string[], trust: TrustStore): OpenProjects {
  const trusted: ProjectFiles[] = [];
  const warnings: string[] = [];
  for (const root of roots) {
    const check = trust.check(root);
    if (check.status === 'trusted') trusted.push(check.files);
    const ignored = describeTrust(check);
    if (ignored !== undefined) warnings.push(ignored);
  }
  return { trusted, warnings };
}
