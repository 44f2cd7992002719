import type { Footprint } from '#pipeline/operations/batch-model.ts';

/** How an item names its contact. */
export type Lookup =
  | { readonly by: 'key'; readonly value: string }
  | { readonly by: 'id'; readonly value: number }
  | { readonly by: 'email'; readonly value: string }
  | { readonly by: 'mobile'; readonly value: string };

/** The look-ups that a batch needs, without duplicates. */
export class Lookups implements Footprint {
  readonly key = new Set<string>();
  readonly id = new Set<number>();
  readonly email = new Set<string>();
  readonly mobile = new Set<string>();

  add(lookup: Lookup): void {
    (this[lookup.by] as Set<string | number>).add(lookup.value);
  }

  clear(): void {
    this.key.clear();
    this.id.clear();
    this.email.clear();
    this.mobile.clear();
  }

  /**
   * True when two batches certainly name different contacts: both use only keys, and share none.
   * Other look-ups could find the same contact as a key does.
   */
  isDisjointFrom(other: Lookups): boolean {
    return this.hasOnlyKeys && other.hasOnlyKeys && this.key.isDisjointFrom(other.key);
  }

  /** True when all contacts are named by their keys. */
  get hasOnlyKeys(): boolean {
    return this.id.size === 0 && this.email.size === 0 && this.mobile.size === 0;
  }
}
