import { Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';

/**
 * Present names of time zones of which browsers list only the former ones, such as Asia/Calcutta.
 * Source: the aliases with an `iana` name in `timezone.xml` of the Unicode CLDR.
 */
const presentNames = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
];

/** A choice of a time zone. `value` is always among the choices. */
export function TimeZoneSelect({
  value,
  onChange,
  ...props
}: Pick<SelectProps, 'label' | 'description' | 'disabled'> & {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}): ReactNode {
  const t = useTexts('common');
  const names = new Set([value, 'UTC', ...presentNames, ...Intl.supportedValuesOf('timeZone')]);
  return (
    <Select
      {...props}
      value={value}
      onChange={(zone) => onChange(zone ?? value)}
      data={[...names].sort((a, b) => (a < b ? -1 : 1))}
      searchable
      allowDeselect={false}
      limit={100}
      nothingFoundMessage={t('noTimeZone')}
    />
  );
}
