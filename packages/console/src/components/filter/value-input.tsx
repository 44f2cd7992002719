import { Group, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { NumberField, type NumberValue } from '#components/inputs/number-field.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { arityOf, takesPart } from './model/field-types.ts';
import type { ContactField } from './model/fields.ts';
import type { Condition, ConditionValue } from './model/filter.ts';
import { useFilterSources } from './filter-sources.tsx';
import { contactTypeOptions } from './filter-words.ts';
import { ManyValues } from './many-values.tsx';
import { TimeInput } from './time-input.tsx';

/** What an input of values gets. */
export interface ValueInputProps {
  readonly field: ContactField;
  readonly condition: Condition;
  /** `typing`: the person is probably not done yet. */
  readonly onChange: (values: readonly ConditionValue[], typing?: 'typing') => void;
}

/** The input for the values of a condition, by the type of its field and its operation. */
export function ValueInput(props: ValueInputProps): ReactNode {
  const { field, condition } = props;
  const arity = arityOf(condition.operation);
  if (arity === 'none') return null;
  if (takesPart(condition.operation)) return <OneText {...props} />;
  switch (field.type) {
    case 'boolean':
      return <YesOrNo {...props} />;
    case 'contact_type':
    case 'list':
    case 'segment':
      return <Choices {...props} />;
    case 'date':
    case 'datetime':
      return <TimeInput {...props} />;
    case 'id':
    case 'number':
      return arity === 'some' ? <ManyValues {...props} /> : <Numbers {...props} />;
    default:
      return <ManyValues {...props} />;
  }
}

function OneText({ condition, onChange }: ValueInputProps): ReactNode {
  const t = useTexts('filter');
  return (
    <TextInput
      size="xs"
      aria-label={t('builder.value')}
      placeholder={t('builder.valueHint')}
      value={String(condition.values[0] ?? '')}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? [] : [value], 'typing')}
    />
  );
}

function YesOrNo({ condition, onChange }: ValueInputProps): ReactNode {
  const t = useTexts('filter');
  const value = condition.values[0];
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('builder.value')}
      data={[
        { value: 'true', label: t('yes') },
        { value: 'false', label: t('no') },
      ]}
      value={value === undefined ? '' : String(value)}
      onChange={(chosen) => onChange([chosen === 'true'])}
    />
  );
}

function Choices({ field, condition, onChange }: ValueInputProps): ReactNode {
  const t = useTexts('filter');
  const { lists, segments } = useFilterSources();
  const isType = field.type === 'contact_type';
  const known = isType
    ? contactTypeOptions(t)
    : (field.type === 'list' ? lists : segments).map(({ audience_id: id, name }) => ({
        value: String(id),
        label: name,
      }));
  const chosen = condition.values.map((value) => (isType ? String(value).toLowerCase() : String(value)));
  const missing = chosen
    .filter((value) => !known.some((one) => one.value === value))
    .map((value) => ({ value, label: t('unknownAudience', { id: value }) }));
  return (
    <MultiSelect
      size="xs"
      aria-label={t('builder.value')}
      placeholder={chosen.length === 0 ? t('builder.audienceHint') : ''}
      data={[...known, ...missing]}
      limit={100}
      searchable
      hidePickedOptions
      value={chosen}
      onChange={(values) => onChange(isType ? values : values.map(Number))}
    />
  );
}

function Numbers({ field, condition, onChange }: ValueInputProps): ReactNode {
  const t = useTexts('filter');
  const isPair = arityOf(condition.operation) === 'two';
  const change = (at: number, given: number | null): void => {
    const values = isPair ? [condition.values[0] ?? '', condition.values[1] ?? ''] : [''];
    values[at] = given ?? '';
    onChange(values, 'typing');
  };
  return (
    <Group gap="xs" wrap="nowrap">
      {(isPair ? (['from', 'to'] as const) : (['value'] as const)).map((name, at) => (
        <NumberField
          key={name}
          size="xs"
          aria-label={t(`builder.${name}`)}
          placeholder={t(isPair ? `builder.${name}` : 'builder.valueHint')}
          isId={field.type === 'id'}
          value={condition.values[at] as NumberValue}
          onChange={(given) => change(at, given)}
        />
      ))}
    </Group>
  );
}
