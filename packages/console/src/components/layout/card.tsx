import { Group, Paper, Stack, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

/** A part of a page with a title. */
export function Card({
  title,
  controls,
  children,
}: {
  readonly title: string;
  /** At the end of the line of the title. */
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="md" p="md" h="100%" miw={0}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" gap="xs" mih={28}>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {controls}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
