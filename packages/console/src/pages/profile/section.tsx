import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** One part of the profile: a title, what it is for, its content, and its actions. */
export function Section({
  title,
  text,
  badge,
  actions,
  children,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2} flex="1 1 16rem">
            <Group gap="xs">
              <Title order={2} size="h5">
                {title}
              </Title>
              {badge}
            </Group>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </Stack>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
