import type { TFunction } from 'i18next';
import { formatDate, formatDateTime, formatDayOfYear } from '#components/values/format.ts';
import { readRelative } from './model/relative-dates.ts';

/** Returns a value of a date or date-time as people read it, such as `30 days ago`. */
export function timeLabel(t: TFunction<'filter'>, value: string): string {
  const relative = readRelative(value);
  if (relative === undefined) return momentText(value);
  if (relative.kind === 'word') return t(`relative.${relative.word}`);
  if (relative.kind === 'dayOfYear') return formatDayOfYear(relative.month, relative.day);
  const length = t(`lengths.${relative.unit}`, { count: relative.count });
  return relative.sign === '' ? length : t(relative.sign === '-' ? 'before' : 'after', { length });
}

function momentText(value: string): string {
  if (Number.isNaN(Date.parse(value))) return value;
  return value.length === 10 ? formatDate(value) : formatDateTime(value);
}
