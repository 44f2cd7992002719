import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Catalogue } from '#texts/load-texts.ts';
import { useTexts } from '#texts/use-texts.ts';

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
  return (
    <Badge variant="light" color={colors[status]} radius="sm" tt="none" fw={500}>
      {label ?? t(`status.${status}`)}
    </Badge>
  );
}
