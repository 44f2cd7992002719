import { Alert, Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ExportSchedule } from '@roster/client';
import type { ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ErrorState } from '#components/states/error-state.tsx';
import { LoadingState } from '#components/states/loading-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatBytes, formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { RunStatus } from './schedule-status.tsx';

/** The runs of a schedule, newest first. */
export function ScheduleRuns({ schedule }: { readonly schedule: ExportSchedule }): ReactNode {
  const t = useTexts('exports');
  const common = useTexts('common');
  const reasonOf = useReasons();
  const { accountId, account } = useAccount();
  const { schedule_id: id } = schedule;
  const query = useInfiniteQuery({
    ...listingQuery(['accounts', accountId, 'exports', 'runs', id], (more) => account.exportSchedules.runs(id, more)),
    refetchInterval: 5000,
  });
  if (query.isPending) return <LoadingState />;
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const runs = query.data.pages.flatMap((page) => page.data);
  return (
    <Stack gap="sm">
      {schedule.status === 'disabled' && (
        <Alert color="red">{t('schedules.disabled', { count: schedule.failures })}</Alert>
      )}
      {runs.length === 0 && <Text c="dimmed">{t('schedules.noRuns')}</Text>}
      {runs.map((run) => (
        <Paper key={run.due_at} withBorder p="sm">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" fw={500}>
              {run.request_id === null ? (
                <DateTime value={run.due_at} />
              ) : (
                <Anchor component={Link} to={`/accounts/${accountId}/exports/${run.request_id}`} inherit>
                  <DateTime value={run.due_at} />
                </Anchor>
              )}
              {run.by_hand && ` · ${t('schedules.byHand')}`}
            </Text>
            <RunStatus status={run.status} />
          </Group>
          {run.rows_written !== null && (
            <Text size="sm" c="dimmed">
              {t('detail.rowsDone', { count: run.rows_written, done: formatNumber(run.rows_written) })}
              {run.file_size !== null && ` · ${formatBytes(run.file_size)}`}
            </Text>
          )}
          {run.missed > 0 && (
            <Text size="sm" c="dimmed">
              {t('schedules.missed', { count: run.missed })}
            </Text>
          )}
          {run.reason !== null && (
            <Text size="sm" mt={4}>
              {reasonOf(run.reason)}
            </Text>
          )}
        </Paper>
      ))}
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {common('actions.loadMore')}
        </Button>
      )}
    </Stack>
  );
}
