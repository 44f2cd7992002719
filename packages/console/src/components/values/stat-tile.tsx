import { Group, Paper, Progress, Text, Tooltip } from '@mantine/core';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';

/** One important number. */
export function StatTile({
  label,
  value,
  note,
  share,
  help,
}: {
  readonly label: string;
  readonly value: string;
  /** Below the number, such as its change. */
  readonly note?: ReactNode;
  /** A share of 0 to 1, shown as a bar. */
  readonly share?: number;
  /** What the number means. */
  readonly help?: string;
}): ReactNode {
  return (
    <Paper component="section" aria-label={label} withBorder radius="md" px="md" py="sm" miw={0}>
      <Group gap={6} wrap="nowrap">
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Text>
        {help !== undefined && (
          <Tooltip label={help} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
            <Text component="span" c="dimmed" lh={1} tabIndex={0} role="note" aria-label={help}>
              <Info size={14} aria-hidden />
            </Text>
          </Tooltip>
        )}
      </Group>
      <Text fz={24} fw={600} lh={1.3}>
        {value}
      </Text>
      {share !== undefined && (
        <Progress value={share * 100} size={4} mt={6} aria-label={label} color="indigo" transitionDuration={0} />
      )}
      {note !== undefined && (
        <Text component="div" size="xs" c="dimmed" mt={4}>
          {note}
        </Text>
      )}
    </Paper>
  );
}
