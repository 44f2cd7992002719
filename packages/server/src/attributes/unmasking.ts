import type { DataMasking } from '@roster/contract';
import type { AttributeRow } from './attribute-store.ts';
import { hidesLess } from './masks.ts';
import type { Refusal } from './registry-change.ts';

/** An attribute as an update finds or leaves it, and the mask that counts for its values: under a mapping, the stricter of two. */
export interface MaskedRow {
  readonly row: Pick<AttributeRow, 'name' | 'mapping' | 'data_masking'>;
  readonly masking: DataMasking;
}

/**
 * Why an attribute cannot be hidden less than it is; undefined when it can, or is hidden as much as before.
 *
 * It would show what is stored to whoever may not see it: only who has the scope `unmasked` can take a mask away, or the mapping to a name that
 * is masked.
 */
export function unmaskingRefusal(before: MaskedRow, after: MaskedRow, unmasked: boolean): Refusal | undefined {
  if (unmasked) return undefined;
  const { name, mapping, data_masking: own } = before.row;
  const refuse = (field: string, message: string): Refusal => ({ code: 'attribute_masked', field, message });
  if (hidesLess(after.row.data_masking, own)) {
    const wanted = `to make it ${after.row.data_masking} needs an API key with the scope unmasked`;
    return refuse('data_masking', `The masking of ${name} is ${own}: ${wanted}`);
  }
  // A target that is masked less in the same request is refused there.
  if (mapping === after.row.mapping || !hidesLess(after.masking, before.masking)) return undefined;
  const ways = `give ${name} this data_masking itself, or use an API key with the scope unmasked`;
  return refuse('mapping', `The mapping to ${mapping} masks the values of ${name} (${before.masking}): ${ways}`);
}
