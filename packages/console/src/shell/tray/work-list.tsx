import { Anchor, Group, Progress, ScrollArea, Stack, Text } from '@mantine/core';
import type { RunningWork } from '@roster/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDuration, formatNumber, formatPercent } from '#components/values/format.ts';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { useAccount } from '../account/use-account.ts';
import { isRunning } from '../account/use-running-work.ts';
import { pathOf, titleOf } from './work-text.ts';

/** The running work of the account, with its progress and links to its pages. */
export function WorkList({
  work,
  onLeave,
}: {
  readonly work: readonly RunningWork[];
  readonly onLeave: () => void;
}): ReactNode {
  const t = useTexts('shell');
  return (
    <>
      <Stack gap={2} p="sm" pb="xs">
        <Text fw={600} size="sm">
          {t('tray.title')}
        </Text>
        <Text size="xs" c="dimmed">
          {t(work.length === 0 ? 'tray.empty' : 'tray.about')}
        </Text>
      </Stack>
      <ScrollArea.Autosize mah={420}>
        <Stack gap="md" px="sm" pb="sm" component="ul" m={0} style={{ listStyle: 'none' }}>
          {work.map((one) => (
            <WorkItem key={`${one.kind} ${one.id}`} work={one} onLeave={onLeave} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </>
  );
}

/** A piece of work, with its progress and a link to its page. */
export function WorkItem({
  work,
  onLeave,
}: {
  readonly work: RunningWork;
  /** Called when the person follows the link. */
  readonly onLeave?: () => void;
}): ReactNode {
  const t = useTexts('shell');
  const reasonOf = useReasons();
  const { accountId } = useAccount();
  const { kind, status, percent, rows_done: rows, rows_per_second: speed, seconds_left: left } = work;
  const facts = [
    rows === null ? undefined : t('tray.rows', { count: rows, rows: formatNumber(rows) }),
    speed === null || !isRunning(work) ? undefined : t('tray.speed', { rows: formatNumber(speed) }),
    left === null || !isRunning(work) ? undefined : t('tray.left', { time: formatDuration(left) }),
    work.rows_failed === 0 ? undefined : t('tray.failures', { count: work.rows_failed }),
  ].filter((fact) => fact !== undefined);
  const name = `${t(`tray.kind.${kind}`)}: ${titleOf(work, t)}`;
  return (
    <Stack gap={4} component="li">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Anchor component={Link} to={`/accounts/${accountId}${pathOf(work)}`} size="sm" truncate onClick={onLeave}>
          {name}
        </Anchor>
        {status === 'running' && percent !== null ? (
          <Text size="xs" c="dimmed">
            {formatPercent(percent / 100, 0)}
          </Text>
        ) : (
          <StatusBadge status={status} />
        )}
      </Group>
      {isRunning(work) && <Progress value={percent ?? 100} animated={percent === null} size="sm" aria-label={name} />}
      {facts.length > 0 && (
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
      )}
      {work.error !== null && (
        <Text size="xs" c="red.8" lineClamp={3}>
          {reasonOf(work.error)}
        </Text>
      )}
    </Stack>
  );
}
