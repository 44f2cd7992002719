import { dataMaskings } from '@roster/contract';
import type { AttributeRow } from './attribute-store.ts';
import type { Refusal } from './registry-change.ts';

/**
 * Why an attribute cannot be hidden less than it is; undefined when it can, or is hidden as much as before.
 *
 * It would show what is stored to whoever may not see it: only who has the scope `unmasked` can take a mask away.
 */
export function unmaskingRefusal(
  { name, data_masking: before }: Pick<AttributeRow, 'name' | 'data_masking'>,
  { data_masking: after }: Pick<AttributeRow, 'data_masking'>,
  unmasked: boolean,
): Refusal | undefined {
  // The words are in order of how much they hide.
  if (unmasked || dataMaskings.indexOf(after) >= dataMaskings.indexOf(before)) return undefined;
  const message = `The masking of ${name} is ${before}: to make it ${after} needs an API key with the scope unmasked`;
  return { code: 'attribute_masked', field: 'data_masking', message };
}
