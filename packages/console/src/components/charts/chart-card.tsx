import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChartLine, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#components/layout/card.tsx';
import { useTexts } from '#texts/use-texts.ts';
import type { DayChartProps } from './chart-data.ts';
import { DayChart } from './day-chart.tsx';
import { DayTable } from './day-table.tsx';

interface CardProps {
  readonly title: string;
  /** Next to the title, such as a choice of the series. */
  readonly controls?: ReactNode;
  /** Between the title and the chart. */
  readonly above?: ReactNode;
}

/** A chart by day with its title. A button shows the same numbers as a table. */
export function ChartCard({ title, controls, above, ...chart }: DayChartProps & CardProps): ReactNode {
  return (
    <ChartFrame
      title={title}
      controls={controls}
      above={above}
      chart={<DayChart {...chart} />}
      table={<DayTable {...chart} />}
    />
  );
}

/** The title of a chart, and a button that shows the table in its place. */
export function ChartFrame({
  title,
  controls,
  above,
  chart,
  table,
}: CardProps & { readonly chart: ReactNode; readonly table: ReactNode }): ReactNode {
  const t = useTexts('common');
  const [isTable, { toggle }] = useDisclosure(false);
  const action = t(isTable ? 'charts.asChart' : 'charts.asTable');
  return (
    <Card
      title={title}
      controls={
        <Group gap="xs" wrap="nowrap">
          {controls}
          <Tooltip label={action}>
            <ActionIcon variant="subtle" color="gray" aria-label={`${title}: ${action}`} onClick={toggle}>
              {isTable ? <ChartLine size={16} aria-hidden /> : <Table2 size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    >
      {above}
      {isTable ? table : chart}
    </Card>
  );
}
