import { ActionIcon, Select, Text } from '@mantine/core';
import { X } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { operationsOf } from './model/field-types.ts';
import { withField, withOperation, type Condition } from './model/filter.ts';
import styles from './filter.module.css';
import { useFilterSources } from './filter-sources.tsx';
import { fieldLabel, operationLabel } from './filter-words.ts';
import { ActivityInput } from './activity-input.tsx';
import { ValueInput } from './value-input.tsx';

/** One condition of the filter builder: field, operation and values. */
export function ConditionRow({
  condition,
  onChange,
  onRemove,
}: {
  readonly condition: Condition;
  readonly onChange: (condition: Condition, typing?: 'typing') => void;
  readonly onRemove: () => void;
}): ReactNode {
  const t = useTexts('filter');
  const { fields } = useFilterSources();
  const field = fields.byName.get(condition.field);
  const options = useFieldOptions();
  const isUnusable = condition.field !== '' && (field === undefined || field.isMasked);
  return (
    <div
      className={styles.condition}
      data-condition={condition.id}
      role="group"
      aria-label={fieldLabel(t, condition.field, fields) || t('builder.field')}
    >
      <Select
        size="xs"
        aria-label={t('builder.field')}
        placeholder={t('builder.fieldHint')}
        data={options}
        limit={100}
        searchable
        allowDeselect={false}
        nothingFoundMessage="–"
        value={field === undefined ? null : field.name}
        error={isUnusable}
        // A new condition is filled from left to right.
        autoFocus={condition.field === ''}
        comboboxProps={{ width: 260, position: 'bottom-start' }}
        onChange={(name) => {
          const next = name === null ? undefined : fields.byName.get(name);
          if (next !== undefined) onChange(withField(condition, field, next));
        }}
      />
      <Select
        size="xs"
        aria-label={t('builder.operation')}
        data={
          field === undefined
            ? []
            : operationsOf(field.type).map((name) => ({ value: name, label: operationLabel(t, field.type, name) }))
        }
        disabled={field === undefined}
        allowDeselect={false}
        value={field === undefined ? null : condition.operation}
        comboboxProps={{ width: 200, position: 'bottom-start' }}
        onChange={(name) => {
          if (name !== null) onChange(withOperation(condition, name));
        }}
      />
      <div className={styles.value}>
        {field?.type === 'activity' && <ActivityInput condition={condition} onChange={onChange} />}
        {field !== undefined && field.type !== 'activity' && !field.isMasked && (
          <ValueInput
            // A new field starts with an empty input.
            key={field.name}
            field={field}
            condition={condition}
            onChange={(values, typing) => onChange({ ...condition, values }, typing)}
          />
        )}
        {isUnusable && (
          <Text size="xs" c="red" role="alert">
            {condition.field}: {t('builder.invalid')}
          </Text>
        )}
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={t('builder.removeCondition')} onClick={onRemove}>
        <X size={16} />
      </ActionIcon>
    </div>
  );
}

/** The fields that the person can use, in groups. */
function useFieldOptions() {
  const t = useTexts('filter');
  const { fields } = useFilterSources();
  return useMemo(() => {
    // The identity of these accounts is the e-mail address or the mobile number.
    const hasOwnIdentity = fields.primaryKey !== 'EMAIL' && fields.primaryKey !== 'MOBILE';
    const usable = [...fields.byName.values()].filter(
      ({ name, isMasked }) => !isMasked && (name !== 'identity' || hasOwnIdentity),
    );
    const options = (category: string) =>
      usable
        .filter((field) => field.category === category)
        .map(({ name }) => ({ value: name, label: fieldLabel(t, name, fields) }));
    return [
      { group: t('fieldGroups.contact'), items: options('config') },
      { group: t('fieldGroups.audiences'), items: options('audience') },
      { group: t('fieldGroups.activities'), items: options('activity') },
      {
        group: t('fieldGroups.attributes'),
        items: options('attribute').sort((a, b) => a.label.localeCompare(b.label)),
      },
      ...(usable.some(({ category }) => category === 'derived')
        ? [{ group: t('fieldGroups.derived'), items: options('derived') }]
        : []),
    ];
  }, [t, fields]);
}
