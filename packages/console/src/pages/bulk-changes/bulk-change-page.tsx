import type { BulkChange, BulkChangeFailure } from '@roster/client';
import { Alert, Button, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { CopyText } from '#components/actions/copy-text.tsx';
import { useShownWork } from '#components/work/own-work.ts';
import { ContactName } from '#components/contacts/contact-name.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { MessageState } from '#components/states/message-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatDuration, formatNumber, formatPercent } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { useActionText } from './action-text.ts';

/** One bulk change: its progress, its counts, and the contacts that failed. */
export function BulkChangePage(): ReactNode {
  const t = useTexts('bulkChanges');
  const reasonOf = useReasons();
  const { bulkChangeId } = useParams({ from: '/signed-in/accounts/$accountId/contacts/bulk-changes/$bulkChangeId' });
  const access = useAccount();
  const { accountId, account, can } = access;
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const actionText = useActionText();
  useShownWork('bulk_change', bulkChangeId);
  const key = ['accounts', accountId, 'bulk-changes', bulkChangeId];
  const change = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => account.bulkChanges.get(bulkChangeId, { signal }),
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? 1_000 : false),
  });
  // The counts change when contacts fail. Then the list is read again.
  const failed = change.data === undefined ? 0 : change.data.counts.failed + change.data.counts.warnings;
  const rows = useRowsOfPages(
    useInfiniteQuery(
      listingQuery([...key, 'failures', failed], (more) => account.bulkChanges.failures(bulkChangeId, more)),
    ),
  );
  const columns = useMemo(
    (): DataColumn<BulkChangeFailure>[] => [
      {
        id: 'contact',
        label: t('contact'),
        cell: ({ contact_id: contactId }) => <ContactName access={access} contactId={contactId} />,
        width: 220,
      },
      { id: 'kind', label: t('kind'), cell: (row) => t(row.warning ? 'warning' : 'failure'), width: 120 },
      {
        id: 'code',
        label: t('code'),
        cell: (row) => (
          <Text inherit ff="monospace">
            {row.code}
          </Text>
        ),
        width: 210,
      },
      {
        id: 'message',
        label: t('message'),
        cell: (row) => (
          <Text inherit truncate title={reasonOf(row.message)}>
            {reasonOf(row.message)}
          </Text>
        ),
        width: 360,
        grows: true,
      },
    ],
    [t, reasonOf, access],
  );
  const isRunning = change.data?.finished_at === null;
  return (
    <Page fill>
      <PageHeader
        title={change.data === undefined ? t('one') : actionText(change.data.action)}
        above={[{ label: t('title'), to: `/accounts/${accountId}/contacts/bulk-changes` }]}
        badge={change.data && <StatusBadge status={change.data.status} />}
      >
        <ApiCallButton
          call={{ operation: 'getBulkChange', path: { account_id: accountId, bulk_change_id: bulkChangeId } }}
        />
        {isRunning && can(change.data?.action.type === 'erase' ? 'privacy:write' : 'contacts:write') && (
          <Button variant="outline" color="red" onClick={() => setAsking(true)}>
            {t('cancel')}
          </Button>
        )}
      </PageHeader>
      <QueryState query={change}>
        {(found) => (
          <>
            <State change={found} />
            <Title order={2} size="h5">
              {t('failures')}
            </Title>
            <DataTable
              label={t('failures')}
              columns={columns}
              rows={rows}
              rowId={(row) => `${row.contact_id}/${row.code}/${row.field ?? ''}`}
              empty={<MessageState icon={CircleCheck} color="green" title={t('noFailures')} />}
            />
          </>
        )}
      </QueryState>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('cancelTitle')}
        action={t('cancel')}
        onConfirm={async () => {
          cache.setQueryData(key, await account.bulkChanges.cancel(bulkChangeId));
        }}
      >
        {t('cancelText')}
      </ConfirmDialog>
    </Page>
  );
}

function State({ change }: { readonly change: BulkChange }): ReactNode {
  const t = useTexts('bulkChanges');
  const reasonOf = useReasons();
  const authorOf = useAuthorName();
  const { progress, counts } = change;
  const left = progress.seconds_left;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Progress value={progress.percent} size="lg" aria-label={t('progress')} />
          <Group justify="space-between">
            <Text size="sm">
              {t('done', {
                count: progress.total ?? 0,
                done: formatNumber(progress.done),
                total: progress.total === null ? '–' : formatNumber(progress.total),
                percent: formatPercent(progress.percent / 100, 0),
              })}
            </Text>
            <Text size="sm" c="dimmed">
              {progress.contacts_per_second !== null &&
                t('speed', { count: formatNumber(progress.contacts_per_second) })}
              {left !== null && left > 0 && ` · ${t('left', { time: formatDuration(left) })}`}
            </Text>
          </Group>
          <Group gap="xl">
            {(['changed', 'unchanged', 'failed', 'warnings'] as const).map((name) => (
              <Stack key={name} gap={0}>
                <Text size="lg" fw={600}>
                  {formatNumber(counts[name])}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(`counts.${name}`)}
                </Text>
              </Stack>
            ))}
          </Group>
          {change.failure !== null && (
            <Alert color="red" role="alert">
              {reasonOf(change.failure.message)}
            </Alert>
          )}
        </Stack>
      </Paper>
      <Paper withBorder p="md">
        <KeyValues
          entries={[
            [t('id'), <CopyText key="id" value={change.bulk_change_id} />],
            [t('selection'), t(`by.${change.selection.by}`)],
            [t('author'), authorOf(change.author)],
            [t('created'), <DateTime key="created" value={change.created_at} />],
            [t('finished'), <DateTime key="finished" value={change.finished_at} />],
          ]}
        />
      </Paper>
    </SimpleGrid>
  );
}
