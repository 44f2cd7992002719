import type { Refusal } from '#features/registry/refusal.ts';
import type { DataMasking } from '@roster/contract';
import { hidesLess, howToUnmask, looksMasked } from '#features/registry/masking.ts';
import type { AttributeRow } from '#features/registry/attribute-store.ts';
import { formerMaskRefusal, type FormerMasks } from '#features/registry/former-masks.ts';
import type { Registry } from '#features/registry/registry.ts';

/** The registry before and after a change. Its masks include those of mappings. */
export interface MaskChange {
  readonly before: Registry;
  readonly after: Registry;
  readonly formerMasks: FormerMasks;
}

/** An attribute before and after an update. */
type Row = Pick<AttributeRow, 'attribute_id' | 'name' | 'mapping' | 'data_masking'>;

const needsScope = `needs the scope unmasked. If you need it, ${howToUnmask}.`;

/**
 * Returns why an API key without the scope `unmasked` cannot make a change, or undefined if it can.
 *
 * The change must not reveal stored values of a masked attribute, or values that clients will send
 * under a masked name. So an attribute or a name must not get a weaker mask. And a masked attribute
 * must not be mapped to a less masked name, because filters by that name could then read its
 * values.
 */
export function unmaskingRefusal(change: MaskChange, before: Row, after: Row): Refusal | undefined {
  return (
    weakerMaskRefusal(before, after) ??
    renameRefusal(change, before, after) ??
    mappingChangeRefusal(change, before, after)
  );
}

/** Returns why an API key without the scope `unmasked` cannot delete an attribute, or undefined. */
export function maskedDeletionRefusal(masks: Registry, row: Row): Refusal | undefined {
  const masking = maskOf(masks, row);
  if (masking === 'none') return undefined;
  return refuse('', `${row.name} is masked (${masking}). Deleting it ${needsScope}`);
}

/**
 * Refuses a default that looks like a mask. An API key without the scope `unmasked` gets such a
 * mask instead of the default, and would overwrite the default with it.
 */
export function maskedDefaultRefusal(masks: Registry, row: Row, value: unknown): Refusal | undefined {
  if (maskOf(masks, row) === 'none' || !looksMasked(value)) return undefined;
  const message = `is the mask of the default value, not the value itself. Leave it out to keep the default of ${row.name}`;
  return { code: 'attribute_default', field: 'default_value', message };
}

function weakerMaskRefusal({ name, data_masking: own }: Row, { data_masking: next }: Row): Refusal | undefined {
  if (!hidesLess(next, own)) return undefined;
  return refuse('data_masking', `The masking of ${name} is ${own}. Changing it to ${next} ${needsScope}`);
}

function renameRefusal(
  { before: masks, after: masksAfter, formerMasks }: MaskChange,
  before: Row,
  after: Row,
): Refusal | undefined {
  if (before.name === after.name) return undefined;
  const masking = maskOf(masks, before);
  if (masking !== 'none') return refuse('new_name', `${before.name} is masked (${masking}). Renaming it ${needsScope}`);
  const attribute = { name: after.name, dataMasking: maskOf(masksAfter, after) };
  return formerMaskRefusal(formerMasks, attribute, 'new_name');
}

function mappingChangeRefusal(
  { before: masks, after: masksAfter }: MaskChange,
  before: Row,
  after: Row,
): Refusal | undefined {
  const { name, mapping } = before;
  if (mapping === after.mapping) return undefined;
  const [masking, maskingAfter] = [maskOf(masks, before), maskOf(masksAfter, after)];
  if (mapping !== null) {
    // If the same request weakens the mask of the target, the item that does this is refused, too.
    const shown = hidesLess(maskingAfter, masking) ? name : mapping;
    if (shown === name || hidesLess(maskNamed(masksAfter, mapping), masking)) {
      const ways = `Give ${shown} the data_masking ${masking} first, or ${howToUnmask}.`;
      return refuse(
        'mapping',
        `The mapping to ${mapping} masks the values that are sent as ${shown} (${masking}). ${ways}`,
      );
    }
  }
  if (after.mapping === null || !hidesLess(maskNamed(masks, after.mapping), maskingAfter)) return undefined;
  const why = `Filters on ${after.mapping} would read values of ${name}, which is masked (${maskingAfter})`;
  return refuse('mapping', `${why}. Mapping it ${needsScope}`);
}

function maskOf(masks: Registry, { attribute_id: id, data_masking: own }: Row): DataMasking {
  // The attribute may have been deleted since its row was read.
  return masks.byId(id)?.dataMasking ?? own;
}

/** The mask of the attribute that a name means. */
function maskNamed(masks: Registry, name: string): DataMasking {
  return masks.find(name)?.dataMasking ?? 'none';
}

function refuse(field: string, message: string): Refusal {
  return { code: 'attribute_masked', field, message };
}
