import type { ExportSchedule } from '@roster/client';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Returns a function that says when a schedule runs, such as `Every day, 06:30`. */
export function useTimingText(): (timing: ExportSchedule['timing']) => string {
  const t = useTexts('exports');
  return ({ every, at, weekdays = [], day, cron }) => {
    switch (every) {
      case 'day':
        return `${t('schedules.every.day')}, ${at}`;
      case 'week':
        return `${weekdays.map((name) => t(`schedules.weekday.${name}`)).join(', ')}, ${at}`;
      case 'month':
        return `${t('schedules.every.month')}, ${t('schedules.day').toLowerCase()} ${formatNumber(day ?? 1)}, ${at}`;
      case 'cron':
        return cron ?? '';
    }
  };
}
