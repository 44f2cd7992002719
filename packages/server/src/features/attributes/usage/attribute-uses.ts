import type { AttributeUse } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';

/** One thing of a feature, such as an unfinished export, and the attributes that it uses. */
export interface UseOfAttributes extends AttributeUse {
  readonly attributeIds: readonly number[];
  /** It refers to its attributes by name: they cannot be renamed until it has ended. */
  readonly byName?: boolean;
}

declare module '#platform/feature.ts' {
  interface Feature {
    /**
     * Returns what of the feature uses attributes of an account, in a stable order. An attribute in use is not deleted.
     *
     * The caller holds the lock of the account. Take it too before you begin to use an attribute.
     */
    readonly attributeUses?: (db: Database, accountId: number) => Promise<readonly UseOfAttributes[]>;
  }
}
