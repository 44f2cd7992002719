import type { BatchAttributes } from './batch-attributes.ts';
import type { ContactCounts } from '../counts/contact-counts.ts';
import type { AwaitedOptOuts } from '../awaited-opt-outs/awaited-opt-outs.ts';
import type { ForgottenPeople } from '../forgotten/forgotten-people.ts';
import type { FormerKeys } from '../former-keys/former-keys.ts';
import type { ContactHistory } from '../history/contact-history.ts';
import type { WorkingSet } from './working-set.ts';

/** State of other features, by name. Each adds its own by `declare module`; see `batch-part.ts`. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface BatchParts {}

/** The state of a batch while its items are applied in memory. */
export interface BatchState {
  readonly contacts: WorkingSet;
  /** The attributes, including those that earlier items of the batch created. */
  readonly registry: BatchAttributes;
  /** The lists named by the batch that exist. */
  readonly lists: ReadonlySet<number>;
  readonly awaitedOptOuts: AwaitedOptOuts;
  readonly formerKeys: FormerKeys;
  readonly forgotten: ForgottenPeople;
  readonly history: ContactHistory;
  /** What the batch changes in the counts for statistics. */
  readonly counts: ContactCounts;
  readonly parts: BatchParts;
  /** Tells the parts that the key of a contact changed. `to` is null when it was deleted. */
  readonly keyChanged: (from: string, to: string | null) => void;
  /** Makes a UUID for the key of an anonymous contact. */
  readonly newId: () => string;
}
