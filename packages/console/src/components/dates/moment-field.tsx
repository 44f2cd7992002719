import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates';
import { useState, type ReactNode } from 'react';
import { clockAt, momentAt } from '#components/values/day-bounds.ts';
import { dateFormat } from '#components/values/format.ts';
import { useTimeZone } from '#components/values/time-zone.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { CalendarDefaults } from './calendar-defaults.tsx';

/**
 * An input for a moment, on the clock of the account. A moment that was given stays as exact as it
 * is until the person takes another time.
 */
export function MomentField({
  value,
  onChange,
  ...field
}: Omit<DateTimePickerProps, 'value' | 'onChange'> & {
  /** For example `2026-01-31T09:00:00.000Z`. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}): ReactNode {
  const t = useTexts('common');
  const timeZone = useTimeZone();
  const [given] = useState(value);
  const clock = clockOf(value, timeZone);
  const givenClock = clockOf(given, timeZone);
  // Otherwise, another day would have no seconds.
  const withSeconds = givenClock !== null && !givenClock.endsWith(':00');
  const format = dateFormat({ dateStyle: 'medium', timeStyle: withSeconds ? 'medium' : 'short', timeZone: 'UTC' });
  const write = (time: string): string => format.format(new Date(`${time.replace(' ', 'T')}Z`));
  const name = field['aria-label'];
  return (
    <CalendarDefaults>
      {(calendar) => (
        <DateTimePicker
          {...calendar}
          {...field}
          {...(name !== undefined && { 'aria-label': clock === null ? name : `${name}: ${write(clock)}` })}
          placeholder={field.placeholder ?? t('calendar.choose')}
          valueFormat={write}
          withSeconds={withSeconds}
          value={clock}
          onChange={(time) => onChange(time === null ? null : time === givenClock ? given : momentAt(time, timeZone))}
          timePickerProps={{
            hoursInputLabel: t('calendar.hours'),
            minutesInputLabel: t('calendar.minutes'),
            secondsInputLabel: t('calendar.seconds'),
          }}
          submitButtonProps={{ 'aria-label': t('calendar.take') }}
        />
      )}
    </CalendarDefaults>
  );
}

function clockOf(value: string | null, timeZone: string | undefined): string | null {
  const moment = value === null ? Number.NaN : Date.parse(value);
  return Number.isNaN(moment) ? null : clockAt(moment, timeZone);
}
