import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A message in the middle of a page or panel: icon, title, text, and what to do next. */
export function MessageState({
  icon: Icon,
  color = 'gray',
  title,
  text,
  children,
  role,
  order = 2,
}: {
  readonly icon: LucideIcon;
  readonly color?: string;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  /** `alert` for failures, so that screen readers read it at once. */
  readonly role?: 'alert';
  /** Level of the heading: 1 if the message is the whole page. */
  readonly order?: 1 | 2;
}): ReactNode {
  return (
    <Center p="xl" role={role}>
      <Stack align="center" gap="sm" maw={520} ta="center">
        <ThemeIcon size={44} radius="md" variant="light" color={color}>
          <Icon size={22} aria-hidden />
        </ThemeIcon>
        <Title order={order} size="h4">
          {title}
        </Title>
        {text !== undefined && (
          <Text c="dimmed" size="sm" style={{ textWrap: 'balance' }}>
            {text}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  );
}
