import { Select, Textarea, TextInput } from '@mantine/core';
import type { OperatorAttribute } from '@roster/client';
import { lazy, type ReactNode } from 'react';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { NumberField } from './number-field.tsx';

// The calendar is large, and few attributes need it.
const MomentField = lazy(async () => ({ default: (await import('#components/dates/moment-field.tsx')).MomentField }));

/** A value of an attribute; null for none. */
export type TypedValue = string | number | boolean | null;

/** An input for a value of a data type. Numbers are typed in the language of the console. */
export function TypedValueInput({
  type,
  value,
  onChange,
  ...field
}: {
  readonly type: OperatorAttribute['data_type'];
  readonly value: TypedValue;
  /** Gets null when the input is empty. */
  readonly onChange: (value: TypedValue) => void;
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly error?: ReactNode;
  readonly disabled?: boolean;
  readonly 'data-autofocus'?: boolean;
}): ReactNode {
  const t = useTexts('common');
  const text = typeof value === 'string' ? value : '';
  const change = (given: string): void => onChange(given === '' ? null : given);
  switch (type) {
    case 'boolean':
      return (
        <Select
          {...field}
          clearable
          clearButtonProps={{ 'aria-label': t('values.clear') }}
          data={[
            { value: 'true', label: t('values.yes') },
            { value: 'false', label: t('values.no') },
          ]}
          value={typeof value === 'boolean' ? String(value) : null}
          onChange={(chosen) => onChange(chosen === null ? null : chosen === 'true')}
        />
      );
    case 'number':
      return <NumberField {...field} value={typeof value === 'number' ? value : null} onChange={onChange} />;
    case 'date':
      return (
        <TextInput
          {...field}
          type="date"
          max="9999-12-31"
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case 'datetime':
      return (
        <SeparatePart loading={<TextInput {...field} disabled />}>
          <MomentField
            {...field}
            clearable
            clearButtonProps={{ 'aria-label': t('values.clear') }}
            value={text === '' ? null : text}
            onChange={onChange}
          />
        </SeparatePart>
      );
    case 'text':
    case 'long_text':
      return (
        <Textarea
          {...field}
          dir="auto"
          autosize
          minRows={type === 'text' ? 1 : 3}
          maxRows={8}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
  }
}
