import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

/** A short value, such as an id, with a button that copies it. */
export function CopyText({
  value,
  shown,
  label,
}: {
  readonly value: string;
  /** What is shown, if it is not the value itself. */
  readonly shown?: ReactNode;
  readonly label?: string;
}): ReactNode {
  return (
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex" maw="100%">
      <Text component="span" ff="monospace" fz="sm" truncate>
        {shown ?? value}
      </Text>
      <CopyButton value={value} label={label} />
    </Group>
  );
}
