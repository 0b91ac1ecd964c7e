import type { HeaderEntries } from '../../../network/net-messages.ts';
import type { NetLink } from '../net-link.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Fields } from './fields.ts';

/** What the resources of wasi:http of one guest share. */
export interface HttpContext {
  readonly net: NetLink;
  readonly budget: ByteBudget;
  /** Immutable fields, of the class that the guest knows. */
  createFields(entries: HeaderEntries): Fields;
}
