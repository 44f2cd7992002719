/** One item of a stored request, as far as it concerns people. */
export interface PayloadItem<Identifier extends string = string> {
  /** Index of the item in its request. */
  readonly index: number;
  /** Returns the item as people see it. */
  readonly show: () => object;
  /** Everything by which the item names people. */
  readonly identifiers: readonly Identifier[];
  /** What finds its contact; undefined for a new anonymous contact without an address. */
  readonly owner: Identifier | undefined;
  /**
   * Once the item was applied, all of its identifiers were those of one contact: what it changes, besides what finds the contact, are new
   * values.
   */
  readonly teaches: boolean;
  /** The item makes a contact that nothing may name. */
  readonly isAnonymous: boolean;
}

/** How the items of one operation lie in its stored payload: for exports and erasures of people (docs/privacy.md). */
export interface PeopleInPayload<Payload> {
  /** The items that have not been erased. */
  readonly items: (payload: Payload, primaryKey: string) => PayloadItem[];
  /**
   * The payload without what the items of some indexes say; the others keep their indexes. Only for a request that was applied: an erased item
   * cannot be applied.
   */
  readonly without: (payload: Payload, indexes: ReadonlySet<number>) => object;
}
