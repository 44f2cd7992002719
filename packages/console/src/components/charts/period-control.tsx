import { SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { formatNumber } from '#components/values/format.ts';
import { useTimeZone } from '#components/values/time-zone.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { periods, type PeriodDays } from './period.ts';

/** Returns the first day of a period in the time zone of the account; undefined while it loads. */
export function useFirstDay(days: PeriodDays): string | undefined {
  const timeZone = useTimeZone();
  const [now] = useState(() => new Date());
  if (timeZone === undefined) return undefined;
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  return new Date(Date.parse(today) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}

/** Chooses the period of a page. */
export function PeriodControl({
  value,
  onChange,
}: {
  readonly value: PeriodDays;
  readonly onChange: (days: PeriodDays) => void;
}): ReactNode {
  const t = useTexts('common');
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('charts.period')}
      data={periods.map((days) => ({
        value: String(days),
        label: t('charts.days', { count: days, formatted: formatNumber(days) }),
      }))}
      value={String(value)}
      onChange={(days) => onChange(Number(days) as PeriodDays)}
    />
  );
}
