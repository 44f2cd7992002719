import { Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatAgo, formatDateTime } from './format.ts';
import { useTimeZone } from './time-zone.tsx';

/** A moment in the time zone of the account. With `ago`, it shows how long ago it is. */
export function DateTime({
  value,
  ago = false,
}: {
  readonly value: string | null | undefined;
  readonly ago?: boolean;
}): ReactNode {
  const timeZone = useTimeZone();
  if (value === null || value === undefined)
    return (
      <Text component="span" inherit c="dimmed">
        –
      </Text>
    );
  const exact = formatDateTime(value, timeZone);
  return (
    <Tooltip label={ago ? exact : `${formatAgo(value)} · ${timeZone ?? ''}`} openDelay={400}>
      <time dateTime={value}>{ago ? formatAgo(value) : exact}</time>
    </Tooltip>
  );
}
