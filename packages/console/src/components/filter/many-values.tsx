import { TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { filterLimits, type ConditionValue } from './model/filter.ts';
import { useFilterSources } from './filter-sources.tsx';
import type { ValueInputProps } from './value-input.tsx';

/** Any number of texts or numbers, with suggestions from the values of the attribute. */
export function ManyValues({ field, condition, onChange }: ValueInputProps): ReactNode {
  const t = useTexts('filter');
  const { accountId, suggestValues } = useFilterSources();
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed, 150);
  const [hasFocus, setFocus] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const chosen = condition.values.map(String);
  const attributeId = field.attribute?.id;
  const isNumber = field.type === 'number' || field.type === 'id';
  const suggestions = useQuery({
    queryKey: ['accounts', accountId, 'attribute-values', attributeId, wanted],
    queryFn: ({ signal }) => suggestValues!(attributeId!, wanted, signal),
    enabled: hasFocus && suggestValues !== undefined && attributeId !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

  function change(texts: readonly string[]): void {
    const values = texts.map((text) => (isNumber ? numberOf(text) : text));
    const fitting = values.filter((value) => value !== undefined);
    setError(fitting.length < values.length ? t('builder.notANumber') : undefined);
    onChange(fitting);
  }

  return (
    <TagsInput
      size="xs"
      aria-label={t('builder.value')}
      placeholder={condition.values.length === 0 ? t('builder.valuesHint') : ''}
      data={(suggestions.data ?? []).filter((value) => !chosen.includes(value))}
      // Values can contain commas. Equality is exact, so values that differ only in case are two.
      splitChars={isNumber ? [',', ';', ' '] : []}
      isDuplicate={(value, present) => present.includes(value)}
      filter={({ options }) => options}
      maxTags={filterLimits.values}
      onMaxTags={() => setError(t('builder.tooMany', { count: filterLimits.values }))}
      value={chosen}
      onChange={change}
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      error={error}
    />
  );
}

function numberOf(text: string): ConditionValue | undefined {
  const value = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
