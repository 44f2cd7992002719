import type { OperatorAttribute } from '@roster/client';
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { mappingTargets, type DataType } from './attribute-draft.ts';
import { useAttributes, usePrimaryKey } from '../registry/use-attributes.ts';

/** Chooses the standard attribute that an attribute replaces. */
export function MappingField({
  attribute,
  type,
  mapping,
  error,
  onChange,
}: {
  /** Undefined for a new attribute. */
  readonly attribute: OperatorAttribute | undefined;
  readonly type: DataType;
  readonly mapping: string | null;
  readonly error: string | undefined;
  readonly onChange: (mapping: string | null) => void;
}): ReactNode {
  const t = useTexts('attributes');
  const common = useTexts('common');
  const primaryKey = usePrimaryKey();
  const { data: all = [] } = useAttributes();
  const targets = mappingTargets(all, { type, name: attribute?.name });
  const reason =
    attribute?.system === true
      ? t('mapping.standard')
      : attribute !== undefined && attribute.name === primaryKey
        ? t('mapping.key')
        : targets.length === 0 && mapping === null
          ? t('mapping.noTarget')
          : undefined;
  return (
    <Select
      label={t('columns.mapping')}
      description={reason ?? t('mapping.text')}
      placeholder={t('mapping.none')}
      data={mapping === null || targets.includes(mapping) ? targets : [mapping, ...targets]}
      clearable
      clearButtonProps={{ 'aria-label': common('values.clear') }}
      searchable
      disabled={reason !== undefined}
      value={mapping}
      error={error}
      onChange={onChange}
    />
  );
}
