import type { AccountEvent } from '@roster/client';
import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RefreshCw, ScrollText } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
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
import { KindName } from './kind-name.tsx';

const perPage = 200;

/** A part of the feed, newest first. */
interface FeedPart {
  readonly data: readonly AccountEvent[];
  /** The part before this one ends at this position. Null: this is the oldest one. */
  readonly next_cursor: string | null;
}

/** The newest events of the account. */
export function FeedPage(): ReactNode {
  const t = useTexts('developers');
  const access = useAccount();
  const { accountId, account } = access;
  const query = useInfiniteQuery({
    queryKey: ['accounts', accountId, 'event-feed'],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam, signal }): Promise<FeedPart> {
      // The feed is read forwards, so the end of each part must be known.
      const oldest = await account.events.read({ signal, limit: 1 });
      const first = oldest.data[0]?.position;
      if (first === undefined) return { data: [], next_cursor: null };
      const end = pageParam === undefined ? oldest.last_position : Number(pageParam);
      const after = Math.max(first - 1, end - perPage);
      const { data } = await account.events.read({ signal, after, limit: perPage });
      const part = data.filter(({ position }) => position <= end).toReversed();
      return { data: part, next_cursor: after < first ? null : String(after) };
    },
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
  const rows = useRowsOfPages(query as Parameters<typeof useRowsOfPages<AccountEvent>>[0]);
  const columns = useMemo(
    (): DataColumn<AccountEvent>[] => [
      {
        id: 'position',
        label: t('feed.position'),
        cell: (row) => formatNumber(row.position),
        width: 110,
        align: 'end',
      },
      {
        id: 'when',
        label: t('feed.when'),
        cell: (row) => <DateTime value={row.occurred_at} />,
        width: momentWidth,
      },
      { id: 'kind', label: t('feed.kind'), cell: (row) => <KindName kind={row.kind} />, width: 440 },
      {
        id: 'contact',
        label: t('feed.contact'),
        cell: ({ contact_id: id }) => (id === null ? '–' : <ContactName access={access} contactId={id} />),
        width: 220,
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
        grows: true,
      },
    ],
    [t, access],
  );
  return (
    <Page fill>
      <DevelopersHeader title={t('feed.title')} text={t('feed.text')}>
        <ApiCallButton call={{ operation: 'listEvents', path: { account_id: accountId } }} />
        <Button
          variant="default"
          leftSection={<RefreshCw size={14} aria-hidden />}
          loading={query.isRefetching}
          onClick={() => void query.refetch()}
        >
          {t('feed.refresh')}
        </Button>
      </DevelopersHeader>
      <DataTable
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
