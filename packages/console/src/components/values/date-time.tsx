import { Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { browserTimeZone, formatAgo, formatDateTime } from './format.ts';
import { useTimeZone } from './time-zone.tsx';

/**
 * A moment in the time zone of the account; on pages outside of accounts, in that of the browser. With
 * `ago`, it shows how long ago it is. The tooltip has the other form, and names the time zone.
 */
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
  const zone = timeZone ?? browserTimeZone();
  return (
    <Tooltip label={`${ago ? exact : formatAgo(value)} · ${zone}`} openDelay={400}>
      <time dateTime={value}>{ago ? formatAgo(value) : exact}</time>
    </Tooltip>
  );
}
