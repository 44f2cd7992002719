import { Group, NumberInput, Select } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { CalendarDefaults } from '#components/dates/calendar-defaults.tsx';
import type { ReactNode } from 'react';
import { monthName } from '#components/values/format.ts';
import { numberSeparators } from '#components/values/number-text.ts';
import { useTexts } from '#texts/use-texts.ts';
import { arityOf, takesLength } from './model/field-types.ts';
import type { ConditionValue } from './model/filter.ts';
import {
  daysOfMonth,
  lengthUnits,
  readRelative,
  relativeWords,
  writeRelative,
  type LengthUnit,
  type RelativeWord,
} from './model/relative-dates.ts';
import type { ValueInputProps } from './value-input.tsx';

/** The values of a condition on a date or date-time: days, relative dates, or a length of time. */
export function TimeInput(
  props: Omit<ValueInputProps, 'field'> & { readonly field: { readonly type: string } },
): ReactNode {
  const { condition, onChange, field } = props;
  const t = useTexts('filter');
  const { operation, values } = condition;
  const hasTime = field.type === 'datetime' && operation !== 'anniversary' && operation !== 'anniversary_in_next';
  if (takesLength(operation)) {
    return (
      <Length
        value={values[0]}
        hasTime={hasTime}
        onChange={(value) => onChange(value === '' ? [] : [value], 'typing')}
      />
    );
  }
  const isPair = arityOf(operation) === 'two';
  return (
    <Group gap="xs">
      {(isPair ? [0, 1] : [0]).map((at) => (
        <OneTime
          key={at}
          labels={isPair ? t(at === 0 ? 'builder.from' : 'builder.to') : t('builder.value')}
          values={isPair ? values.slice(at, at + 1) : values}
          takesMany={arityOf(operation) === 'some'}
          ofYear={operation === 'anniversary'}
          hasTime={hasTime}
          onChange={(given, typing) =>
            onChange(isPair ? [0, 1].map((place) => (place === at ? given[0] : values[place]) ?? '') : given, typing)
          }
        />
      ))}
    </Group>
  );
}

interface OneTimeProps {
  readonly labels: string;
  readonly values: readonly ConditionValue[];
  /** The operation compares with several days. */
  readonly takesMany: boolean;
  /** Days without a year. */
  readonly ofYear: boolean;
  readonly hasTime: boolean;
  readonly onChange: (values: readonly ConditionValue[], typing?: 'typing') => void;
}

/** Chooses between days of the calendar, words such as today, and a length before or after today. */
function OneTime(props: OneTimeProps): ReactNode {
  const { labels, values, ofYear, hasTime, onChange } = props;
  const t = useTexts('filter');
  const relative = values.length === 1 ? readRelative(values[0]) : undefined;
  const kind =
    relative === undefined || relative.kind === 'dayOfYear'
      ? 'day'
      : relative.kind === 'word'
        ? relative.word
        : relative.sign;
  const words: readonly RelativeWord[] = hasTime ? ['now', ...relativeWords] : relativeWords;
  const choose = (chosen: string): void => {
    if (chosen === 'day') onChange([]);
    else if (chosen === '-' || chosen === '+')
      onChange([writeRelative({ kind: 'length', sign: chosen, count: 30, unit: 'day' })]);
    else onChange([writeRelative({ kind: 'word', word: chosen as RelativeWord })]);
  };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Select
        size="xs"
        w={150}
        aria-label={`${labels}: ${t('builder.kindOfDate')}`}
        allowDeselect={false}
        comboboxProps={{ width: 200, position: 'bottom-start' }}
        data={[
          { value: 'day', label: t(ofYear ? 'builder.dayOfYear' : 'builder.calendarDay') },
          { value: '-', label: t('builder.before') },
          { value: '+', label: t('builder.after') },
          ...words.map((word) => ({ value: word, label: t(`relative.${word}`) })),
        ]}
        value={kind}
        onChange={(chosen) => {
          if (chosen !== null) choose(chosen);
        }}
      />
      {relative?.kind === 'length' && (
        <Length
          value={String(values[0]).replace(/^[+-] ?/, '')}
          hasTime={hasTime}
          onChange={(value) => onChange([`${relative.sign}${value}`], 'typing')}
        />
      )}
      {kind === 'day' && (ofYear ? <DayOfYear {...props} /> : <CalendarDays {...props} />)}
    </Group>
  );
}

/**
 * Days of dates and date-times. For a date-time, a day means the whole day in the time zone of the
 * account. A date-time in the address stays as it is until a day is chosen.
 */
function CalendarDays({ labels, values, takesMany, onChange }: OneTimeProps): ReactNode {
  const t = useTexts('filter');
  const days = values.filter((value) => /^\d{4}/.test(String(value))).map((value) => String(value).slice(0, 10));
  const common = {
    size: 'xs',
    miw: 120,
    valueFormat: 'YYYY-MM-DD',
    clearable: false,
    highlightToday: true,
    'aria-label': labels,
  } as const;
  return (
    <CalendarDefaults>
      {(calendar) =>
        takesMany ? (
          <DatePickerInput
            {...common}
            {...calendar}
            type="multiple"
            placeholder={t('builder.daysHint')}
            value={days}
            onChange={(chosen) => onChange(chosen)}
          />
        ) : (
          <DatePickerInput
            {...common}
            {...calendar}
            placeholder={t('builder.dayHint')}
            value={days[0] ?? null}
            onChange={(day) => onChange(day === null ? [] : [day])}
          />
        )
      }
    </CalendarDefaults>
  );
}

/** A month and a day, such as 31 December. */
function DayOfYear({ values, onChange }: OneTimeProps): ReactNode {
  const t = useTexts('filter');
  const given = readRelative(values[0]);
  const { month, day } = given?.kind === 'dayOfYear' ? given : { month: 0, day: 0 };
  const change = (next: { month: number; day: number }): void => {
    onChange(
      [
        writeRelative({
          kind: 'dayOfYear',
          month: next.month,
          day: Math.min(Math.max(next.day, 1), daysOfMonth(next.month)),
        }),
      ],
      'typing',
    );
  };
  return (
    <>
      <Select
        size="xs"
        w={120}
        aria-label={t('builder.month')}
        placeholder={t('builder.month')}
        allowDeselect={false}
        data={Array.from({ length: 12 }, (_, at) => ({ value: String(at + 1), label: monthName(at + 1) }))}
        value={month === 0 ? null : String(month)}
        onChange={(chosen) => {
          if (chosen !== null) change({ month: Number(chosen), day });
        }}
      />
      <NumberInput
        size="xs"
        w={70}
        aria-label={t('builder.day')}
        placeholder={t('builder.day')}
        disabled={month === 0}
        min={1}
        max={daysOfMonth(month)}
        allowDecimal={false}
        value={day === 0 ? '' : day}
        onChange={(number) => {
          if (typeof number === 'number' && number >= 1) change({ month, day: number });
        }}
      />
    </>
  );
}

/** A length of time, such as 30 days. `hasTime`: hours and minutes are possible. */
export function Length({
  value,
  hasTime,
  onChange,
}: {
  readonly value: ConditionValue | undefined;
  readonly hasTime: boolean;
  /** Gets an empty text while there is no number. */
  readonly onChange: (value: string) => void;
}): ReactNode {
  const t = useTexts('filter');
  const given = readRelative(value);
  const { count, unit } = given?.kind === 'length' ? given : { count: undefined, unit: 'day' as const };
  const write = (number: number | string, of: LengthUnit): void =>
    onChange(
      typeof number === 'number' && number >= 1
        ? writeRelative({ kind: 'length', sign: '', count: number, unit: of })
        : '',
    );
  return (
    <Group gap="xs" wrap="nowrap">
      <NumberInput
        size="xs"
        {...numberSeparators()}
        w={80}
        aria-label={t('builder.howMany')}
        placeholder={t('builder.howMany')}
        min={1}
        max={36_500}
        allowDecimal={false}
        allowNegative={false}
        value={count ?? ''}
        onChange={(number) => write(number, unit)}
      />
      <Select
        size="xs"
        w={110}
        aria-label={t('builder.unit')}
        allowDeselect={false}
        data={lengthUnits
          .filter((one) => hasTime || (one !== 'minute' && one !== 'hour'))
          .map((one) => ({ value: one, label: t(`units.${one}`) }))}
        value={unit}
        onChange={(chosen) => {
          if (chosen !== null) write(count ?? 1, chosen);
        }}
      />
    </Group>
  );
}
