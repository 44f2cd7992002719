import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Catalogue } from '#texts/load-texts.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './status-badge.module.css';

/** A status that has a text in `common.status`. */
export type Status = keyof Catalogue['common']['status'];

const colors: Readonly<Record<Status, string>> = {
  accepted: 'gray',
  active: 'green',
  awaiting_file: 'gray',
  building: 'blue',
  cancelled: 'gray',
  completed: 'green',
  delivered: 'green',
  done: 'green',
  expired: 'gray',
  failed: 'red',
  fetching: 'blue',
  partial: 'orange',
  pending: 'gray',
  processed: 'green',
  ready: 'green',
  revoked: 'gray',
  running: 'blue',
  sent: 'green',
  stored: 'gray',
  waiting: 'gray',
};

/** A status as a coloured badge with a text, so that the colour is not the only sign. */
export function StatusBadge({ status, label }: { readonly status: Status; readonly label?: string }): ReactNode {
  const t = useTexts('common');
  return <ColourBadge color={colors[status]}>{label ?? t(`status.${status}`)}</ColourBadge>;
}

/** A badge on a light ground of its colour. Its text is dark enough to be read in every colour. */
export function ColourBadge({ color, children }: { readonly color: string; readonly children: string }): ReactNode {
  const dark = `color-mix(in srgb, var(--mantine-color-${color}-9) 70%, black)`;
  return (
    <Badge
      variant="light"
      color={color}
      radius="sm"
      tt="none"
      fw={500}
      classNames={{ label: styles.label! }}
      style={{ '--on-light': dark, '--on-dark': `var(--mantine-color-${color}-2)` }}
    >
      {children}
    </Badge>
  );
}
