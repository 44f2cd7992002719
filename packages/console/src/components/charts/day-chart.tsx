import { ColorSwatch, Group, Skeleton, Stack, Text, useMantineTheme, getThemeColor } from '@mantine/core';
import { lazy, type ReactNode } from 'react';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import type { DayChartProps } from './chart-data.ts';

// Loaded together with the numbers of the page, not after them.
const view = import('./day-chart-view.tsx');
// The chart that fails to load shows the error.
view.catch(() => undefined);
const View = lazy(async () => ({ default: (await view).DayChartView }));

/** A chart of numbers by day. The library of charts has a chunk of its own. */
export function DayChart(props: DayChartProps): ReactNode {
  const theme = useMantineTheme();
  return (
    <Stack gap={6}>
      <SeparatePart loading={<Skeleton height={236} />}>
        <View {...props} />
      </SeparatePart>
      <Group gap="4px 16px" pl={44} mih={22}>
        {props.series.length > 1 &&
          props.series.map(({ name, label, color }) => (
            <Group key={name} gap={6} wrap="nowrap">
              <ColorSwatch color={getThemeColor(color, theme)} size={10} withShadow={false} />
              <Text size="xs">{label}</Text>
            </Group>
          ))}
      </Group>
    </Stack>
  );
}
