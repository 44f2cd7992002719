import { RosterError, type AccountOperator, type OperatorAttribute } from '@roster/client';
import type { MergeField } from '#components/merge/three-way-merge.ts';
import { useTexts } from '#texts/use-texts.ts';
import { changeOf, type AttributeDraft } from './attribute-draft.ts';

/** Returns the fields of an attribute, which two people can change at the same time. */
export function useAttributeFields(): readonly MergeField<AttributeDraft>[] {
  const t = useTexts('attributes');
  return [
    { id: 'name', label: t('columns.name'), keys: ['name'], show: ({ name }) => name },
    { id: 'type', label: t('columns.type'), keys: ['type'], show: ({ type }) => t(`types.${type}`) },
    {
      id: 'category',
      label: t('category.label'),
      keys: ['category'],
      show: ({ category }) => t(`category.${category}`),
    },
    { id: 'value', label: t('columns.default'), keys: ['value'], show: ({ value }) => String(value ?? '') },
    { id: 'masking', label: t('columns.masking'), keys: ['masking'], show: ({ masking }) => t(`masks.${masking}`) },
    { id: 'mapping', label: t('columns.mapping'), keys: ['mapping'], show: ({ mapping }) => mapping ?? '' },
  ];
}

/**
 * Changes an attribute that is still like `base`. The API knows no version of attributes, so this
 * looks just before the change. Throws `changed` with the present state if somebody was faster.
 */
export async function saveAttribute(
  account: AccountOperator,
  base: OperatorAttribute,
  draft: AttributeDraft,
): Promise<OperatorAttribute> {
  const current = await account.attributes.get(base.id);
  if (current.updated_at !== base.updated_at) {
    throw new RosterError('changed', 'the attribute was changed meanwhile', { operation: 'getAttribute', current });
  }
  const changes = changeOf(base, draft);
  if (changes !== undefined) await account.asApiKey.attributes.update([changes]);
  return current;
}
