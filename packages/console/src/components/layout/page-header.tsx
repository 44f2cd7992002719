import { Anchor, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './page.module.css';
import { useArrival } from '#components/focus/use-arrival.ts';

/** The title of a page, with a sentence about it and its actions. Sets the title of the tab. */
export function PageHeader({
  title,
  text,
  above,
  badge,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  /** The pages above this one. */
  readonly above?: readonly { readonly label: string; readonly to: string }[];
  /** Next to the title, such as a status. */
  readonly badge?: ReactNode;
  /** The actions of the page: the primary one last. */
  readonly children?: ReactNode;
}): ReactNode {
  const heading = useArrival(title);
  return (
    <header className={styles.header}>
      <div className={styles.titles}>
        {above !== undefined && (
          <Breadcrumbs separator="/" mt={-4} mb={-2}>
            {above.map(({ label, to }) => (
              <Anchor
                key={to}
                component={Link}
                to={to}
                size="sm"
                c="dimmed"
                display="inline-flex"
                style={{ alignItems: 'center' }}
              >
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group gap="sm">
          <Title ref={heading} tabIndex={-1} order={1} size="h3" className={styles.title}>
            {title}
          </Title>
          {badge}
        </Group>
        {text !== undefined && (
          <Text c="dimmed" size="sm" mt={2}>
            {text}
          </Text>
        )}
      </div>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </header>
  );
}
