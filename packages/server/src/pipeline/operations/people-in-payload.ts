/** The people in one item of a stored request. */
export interface PayloadItem<Identifier extends string = string> {
  /** Index of the item in its request. */
  readonly index: number;
  /** Returns the item in the form that people see. */
  readonly show: () => object;
  /** All identifiers of people in the item. */
  readonly identifiers: readonly Identifier[];
  /** The identifier that finds the contact; undefined for an anonymous contact without address. */
  readonly owner: Identifier | undefined;
  /**
   * True when, after the item was applied, all its identifiers belonged to one contact. Then the
   * identifiers other than {@link owner} are new values of that contact.
   */
  readonly linksIdentifiers: boolean;
  /** True when the item creates an anonymous contact, which later requests cannot name. */
  readonly isAnonymous: boolean;
}

/** Reads and erases people in the stored payloads of one operation (docs/privacy.md). */
export interface PeopleInPayload<Payload> {
  /** Returns the items that have not been erased. */
  readonly items: (payload: Payload, primaryKey: string) => PayloadItem[];
  /**
   * Returns the payload without the content of the given items. The other items keep their indexes.
   * Use it only for applied requests: an erased item cannot be applied.
   */
  readonly without: (payload: Payload, indexes: ReadonlySet<number>) => object;
}
