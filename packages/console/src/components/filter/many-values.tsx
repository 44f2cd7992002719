import { TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { numberText, parseNumber, parseNumbers } from '#components/values/number-text.ts';
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
  const isNumber = field.type === 'number' || field.type === 'id';
  const write = (value: ConditionValue): string => {
    const number = field.type === 'number' ? Number(value) : Number.NaN;
    return Number.isFinite(number) ? numberText(number) : String(value);
  };
  const chosen = condition.values.map(write);
  const attributeId = field.attribute?.id;
  // The service finds values as they are stored.
  const found = isNumber ? String(parseNumber(wanted) ?? wanted) : wanted;
  const suggestions = useQuery({
    queryKey: ['accounts', accountId, 'attribute-values', attributeId, found],
    queryFn: ({ signal }) => suggestValues!(attributeId!, found, signal),
    enabled: hasFocus && suggestValues !== undefined && attributeId !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

  const offered = (suggestions.data ?? []).map(write).filter((value) => !chosen.includes(value));

  function change(texts: readonly string[]): void {
    const before = new Map(condition.values.map((value) => [write(value), value]));
    const values = texts.flatMap((text): readonly (ConditionValue | undefined)[] => {
      const known = before.get(text);
      if (known !== undefined) return [known];
      if (!isNumber) return [text];
      return offered.includes(text) ? [parseNumber(text)] : parseNumbers(text);
    });
    const fitting = [...new Set(values)].filter((value) => value !== undefined);
    setError(values.includes(undefined) ? t('builder.notANumber') : undefined);
    onChange(fitting.slice(0, filterLimits.values));
  }

  return (
    <TagsInput
      size="xs"
      aria-label={t('builder.value')}
      placeholder={condition.values.length === 0 ? t('builder.valuesHint') : ''}
      data={offered}
      // Texts can contain commas, and numbers have them. Equality is exact, so values that differ only in case are two.
      splitChars={isNumber ? [';', ' '] : []}
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
