import { ScrollArea, Table } from '@mantine/core';
import { formatDate, formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { ReactNode } from 'react';
import type { DayChartProps } from './chart-data.ts';

/** The numbers of a chart as a table, newest day first. */
export function DayTable({
  days,
  series,
  label,
}: Pick<DayChartProps, 'series' | 'label'> & {
  /** Null: the number is not known. */
  readonly days: readonly { readonly day: string; readonly values: Readonly<Record<string, number | null>> }[];
}): ReactNode {
  const t = useTexts('common');
  return (
    <ScrollArea h={264} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Table stickyHeader verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('charts.day')}</Table.Th>
            {series.map(({ name, label: title }) => (
              <Table.Th key={name} ta="end">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, values }) => (
            <Table.Tr key={day}>
              <Table.Td>{formatDate(day)}</Table.Td>
              {series.map(({ name }) => (
                <Table.Td key={name} ta="end">
                  {values[name] === null ? '–' : formatNumber(values[name] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
