import type { AttributeBook } from './attribute-book.ts';
import type { AwaitedOptOuts } from '../awaited-opt-outs/awaited-opt-outs.ts';
import type { ForgottenPeople } from '../forgotten/forgotten-people.ts';
import type { FormerKeys } from '../former-keys/former-keys.ts';
import type { WorkingSet } from './working-set.ts';

/** What other features keep during a batch, by name; each adds its own (`declare module`). See `batch-part.ts`. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface BatchParts {}

/** What a batch of requests sees and changes while it is applied in memory. */
export interface BatchState {
  readonly contacts: WorkingSet;
  /** The attributes as they stand at this point of the order. */
  readonly registry: AttributeBook;
  /** Those lists named by the batch that exist. */
  readonly lists: ReadonlySet<number>;
  readonly awaitedOptOuts: AwaitedOptOuts;
  /** Who had other keys before. */
  readonly formerKeys: FormerKeys;
  readonly forgotten: ForgottenPeople;
  readonly parts: BatchParts;
  /** Tells the parts that a contact has another key, or null: it was deleted. */
  readonly keyChanged: (from: string, to: string | null) => void;
  /** A new key for an anonymous contact. */
  readonly newId: () => string;
}
