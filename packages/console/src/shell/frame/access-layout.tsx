import { Card, Center, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

/** The frame of the pages for set-up and sign-in: one card in the middle. */
export function AccessLayout({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · Roster`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--roster-surface-sunken)">
      <Card withBorder w="100%" maw={400} p="xl" radius="md">
        <Stack gap="lg">
          <img src="/console/icon.svg" width={36} height={36} alt="" />
          <Stack gap={4}>
            <Title order={1} size="h3">
              {title}
            </Title>
            {text !== undefined && (
              <Text c="dimmed" size="sm">
                {text}
              </Text>
            )}
          </Stack>
          {children}
        </Stack>
      </Card>
    </Center>
  );
}
