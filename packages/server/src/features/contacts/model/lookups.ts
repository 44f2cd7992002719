import type { Footprint } from '#pipeline/operations/batch-model.ts';

/** How an item of a request names the contact that it means. */
export type Lookup =
  | { readonly by: 'key'; readonly value: string }
  | { readonly by: 'id'; readonly value: number }
  | { readonly by: 'email'; readonly value: string }
  | { readonly by: 'mobile'; readonly value: string };

/** The look-ups that a batch of requests needs, each once. */
export class Lookups implements Footprint {
  readonly key = new Set<string>();
  readonly id = new Set<number>();
  readonly email = new Set<string>();
  readonly mobile = new Set<string>();

  add(lookup: Lookup): void {
    (this[lookup.by] as Set<string | number>).add(lookup.value);
  }

  /** True when two batches certainly name different contacts: both name theirs by key, and no key is in both. */
  isApartFrom(other: Lookups): boolean {
    return this.#hasOnlyKeys && other.#hasOnlyKeys && this.key.isDisjointFrom(other.key);
  }

  get #hasOnlyKeys(): boolean {
    return this.id.size === 0 && this.email.size === 0 && this.mobile.size === 0;
  }
}
