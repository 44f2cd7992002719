import type { AttributeUse } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';

/** Something in a feature that uses attributes, such as an unfinished export. */
export interface UseOfAttributes extends AttributeUse {
  readonly attributeIds: readonly number[];
  /** True when the use names the attributes. They cannot be renamed until the use has ended. */
  readonly byName?: boolean;
  /** True when derived attributes are used. */
  readonly derived?: boolean;
}

declare module '#platform/feature.ts' {
  interface Feature {
    /**
     * Returns what uses attributes of an account in this feature, in a stable order. An attribute
     * in use cannot be deleted.
     *
     * The caller has locked the account. Your feature must also lock the account before it starts
     * to use an attribute.
     */
    readonly attributeUses?: (db: Database, accountId: number) => Promise<readonly UseOfAttributes[]>;
  }
}
