import type { AccountEvent } from '@roster/client';
import { Button, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RefreshCw, ScrollText } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { ContactName } from '#components/contacts/contact-name.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DevelopersHeader } from '../section/developers-section.tsx';
import { eventsPerPart, readFeedPart } from './feed-part.ts';
import { FeedPosition } from './feed-position.tsx';
import { KindName } from './kind-name.tsx';

/** The events of the account: the newest ones, or those up to the position in the address. */
export function FeedPage(): ReactNode {
  const t = useTexts('developers');
  const access = useAccount();
  const { accountId, account } = access;
  const { position } = useSearch({ from: '/signed-in/accounts/$accountId/developers/events' });
  const navigate = useNavigate({ from: '/accounts/$accountId/developers/events' });
  const query = useInfiniteQuery({
    queryKey: ['accounts', accountId, 'event-feed', position ?? null],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => readFeedPart(account, { position, cursor, signal }),
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
  const goToTime = useMutation({
    mutationFn: async (since: string) => (await account.events.read({ since, limit: 1 })).data[0]?.position,
    // No event is as late: the newest ones are the nearest.
    onSuccess: (found) => navigate({ search: { position: found } }),
  });
  const newestPart = query.data?.pages[0];
  const rows = useRowsOfPages(query as Parameters<typeof useRowsOfPages<AccountEvent>>[0]);
  const columns = useMemo(
    (): DataColumn<AccountEvent>[] => [
      {
        id: 'position',
        label: t('feed.position'),
        cell: (row) => formatNumber(row.position),
        width: 110,
        minWidth: 96,
        align: 'end',
      },
      {
        id: 'when',
        label: t('feed.when'),
        cell: (row) => <DateTime value={row.occurred_at} />,
        width: momentWidth,
      },
      { id: 'kind', label: t('feed.kind'), cell: (row) => <KindName kind={row.kind} />, width: 440, minWidth: 320 },
      {
        id: 'contact',
        label: t('feed.contact'),
        cell: ({ contact_id: id }) => (id === null ? '–' : <ContactName access={access} contactId={id} />),
        width: 250,
        minWidth: 170,
      },
      {
        id: 'details',
        label: t('feed.details'),
        cell: (row) => (
          <Text inherit ff="monospace" truncate>
            {Object.keys(row.details).length === 0 ? '–' : JSON.stringify(row.details)}
          </Text>
        ),
        width: 320,
        minWidth: 200,
        grows: true,
      },
    ],
    [t, access],
  );
  return (
    <Page fill>
      <DevelopersHeader title={t('feed.title')} text={t('feed.text')}>
        <ApiCallButton
          call={{
            operation: 'listEvents',
            path: { account_id: accountId },
            ...(position !== undefined && { query: { after: newestPart?.after, limit: eventsPerPart } }),
          }}
        />
        <Button
          variant="default"
          leftSection={<RefreshCw size={14} aria-hidden />}
          loading={query.isRefetching}
          onClick={() => void query.refetch()}
        >
          {t('feed.refresh')}
        </Button>
      </DevelopersHeader>
      {(newestPart === undefined || newestPart.ends !== undefined) && (
        <FeedPosition
          position={position}
          ends={newestPart?.ends}
          onGo={(next) => void navigate({ search: { position: next } })}
          onGoToTime={(moment) => goToTime.mutate(moment)}
          isSearching={goToTime.isPending}
        />
      )}
      <ProblemAlert error={goToTime.error} />
      <DataTable
        // Other events begin at the top.
        key={position ?? 'newest'}
        label={t('feed.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.position)}
        empty={
          <EmptyState
            guide="/docs/contract/events"
            icon={ScrollText}
            title={t('feed.empty.title')}
            text={t('feed.empty.text')}
            action={false}
            curl={curlOf({
              operation: 'updateAccount',
              path: { account_id: accountId },
              body: { settings: { events: true } },
            })}
          />
        }
      />
    </Page>
  );
}
