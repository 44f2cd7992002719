import type { ExportSchedule } from '@roster/client';
import type { MergeField } from '#components/merge/three-way-merge.ts';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { ScheduleDraft } from './schedule-draft.ts';
import { useSourceName } from './use-names.ts';

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

/** Returns the fields of a schedule that two people can change at the same time. */
export function useScheduleFields(): readonly MergeField<ScheduleDraft>[] {
  const t = useTexts('exports');
  const nameOf = useSourceName();
  const timingOf = useTimingText();
  const blocklists = {
    none: t('form.blocklistNone'),
    email: t('form.blocklistEmail'),
    mobile: t('form.blocklistMobile'),
  };
  return [
    { id: 'name', label: t('schedules.name'), keys: ['name'], show: ({ name }) => name },
    {
      id: 'content',
      label: t('columns.what'),
      keys: ['content'],
      show: ({ content: { source, audienceId, filter, attributes, blocklist, unmasked } }) =>
        [
          nameOf({
            audience_type: source === 'list' || source === 'segment' ? source : null,
            audience_id: audienceId,
            filter: source === 'filter' ? (filter ?? null) : null,
          }),
          attributes.join(', '),
          blocklist === 'none' ? '' : `${t('form.blocklist')}: ${blocklists[blocklist]}`,
          unmasked ? t('form.unmasked') : '',
        ]
          .filter((line) => line !== '')
          .join('\n'),
    },
    {
      id: 'timing',
      label: t('schedules.when'),
      keys: ['every', 'at', 'weekdays', 'day', 'cron'],
      show: ({ every, at, weekdays, day, cron }) =>
        timingOf({ every, at, weekdays: [...weekdays], cron, ...(day !== null && { day }) }),
    },
    {
      id: 'place',
      label: t('schedules.to'),
      keys: ['to', 'keep', 'place'],
      show: ({ to, keep, place: { endpoint, bucket, prefix } }) =>
        to === 'store'
          ? `${t('schedules.store')}\n${t('schedules.keep')}: ${formatNumber(keep ?? 0)}`
          : `${t('schedules.s3')}\n${endpoint} ${bucket}/${prefix}`,
    },
    {
      id: 'compression',
      label: t('form.compress'),
      keys: ['isCompressed'],
      show: ({ isCompressed }) => (isCompressed ? 'gzip' : ''),
    },
    { id: 'mail', label: t('form.mail'), keys: ['mail'], show: ({ mail }) => mail },
  ];
}
