import type { MessageStatistics } from '@roster/client';
import { Anchor, Box, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MailOpen } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Card } from '#components/layout/card.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { kinds, rateOf, type Channel, type Kind } from './kinds.ts';

/** Minimum widths of the columns in pixels: the names must fit in both languages. */
const kindWidths: Readonly<Record<Kind, number>> = {
  sent: 94,
  delivered: 110,
  open: 106,
  click: 90,
  bounce: 114,
  unsubscribe: 120,
  spam: 142,
};

/** Pixels of a rate such as `100,0 %`, and of the widest digit. */
const rateWidth = 52;
const digitWidth = 9;
const cellPadding = 24;

/** Returns the width of a column, in which also its largest number fits, with its rate. */
function widthOf(kind: Kind, rows: readonly MessageStatistics[]): number {
  const largest = rows.reduce((most, row) => Math.max(most, row[kind]), 0);
  const numbers = formatNumber(largest).length * digitWidth + (kind === 'sent' ? 0 : rateWidth);
  return Math.max(kindWidths[kind], cellPadding + numbers);
}

/** The messages with their numbers and rates. Each number opens its people. */
export function MessagesCard({
  from,
  channel,
}: {
  readonly from: string | undefined;
  readonly channel: Channel | undefined;
}): ReactNode {
  const t = useTexts('activity');
  const common = useTexts('common');
  const { accountId, account } = useAccount();
  const navigate = useNavigate({ from: '/accounts/$accountId/activity' });
  const query = useInfiniteQuery({
    ...listingQuery(['accounts', accountId, 'statistics', 'messages', from, channel], (more) =>
      account.statistics.messages({ ...more, from, channel }),
    ),
    enabled: from !== undefined,
  });
  const rows = useRowsOfPages(query);
  const columns = useMemo((): DataColumn<MessageStatistics>[] => {
    const nameOf = (row: MessageStatistics): string => row.name ?? t('messages.unnamed', { number: row.message_id });
    const open = (row: MessageStatistics, activity: Kind): void =>
      void navigate({ search: (old) => ({ ...old, message: row.message_id, activity }) });
    return [
      {
        id: 'message',
        label: t('messages.message'),
        width: 260,
        minWidth: 190,
        grows: true,
        isFixed: true,
        cell: (row) => (
          <Group gap={6} wrap="nowrap">
            <Text size="sm" truncate>
              {nameOf(row)}
            </Text>
            {row.name !== null && (
              <Text size="xs" c="dimmed" component="span">
                {row.message_id}
              </Text>
            )}
          </Group>
        ),
      },
      {
        id: 'channels',
        label: t('messages.channels'),
        width: 96,
        cell: (row) => row.channels.map((one) => common(`channels.${one}`)).join(', '),
      },
      ...kinds.map((kind): DataColumn<MessageStatistics> => ({
        id: kind,
        label: common(`activityKinds.${kind}`),
        width: widthOf(kind, rows.rows),
        align: 'end',
        cell: (row) => (
          <>
            {row[kind] === 0 ? (
              <Text component="span" size="sm" c="dimmed">
                {formatNumber(0)}
              </Text>
            ) : (
              <Anchor
                component="button"
                size="sm"
                aria-label={t('messages.people', {
                  name: nameOf(row),
                  formatted: formatNumber(row[kind]),
                  kind: common(`activityKinds.${kind}`),
                })}
                onClick={() => open(row, kind)}
              >
                {formatNumber(row[kind])}
              </Anchor>
            )}
            {kind !== 'sent' && (
              <Text component="span" size="xs" c="dimmed" display="inline-block" w={rateWidth}>
                {rateOf(row, kind) ?? ''}
              </Text>
            )}
          </>
        ),
      })),
    ];
  }, [t, common, navigate, rows.rows]);
  return (
    <Card
      title={t('messages.title')}
      controls={
        <ApiCallButton
          call={{ operation: 'listMessageStatistics', path: { account_id: accountId }, query: { from, channel } }}
        />
      }
    >
      <Box miw={0}>
        <DataTable
          label={t('messages.table')}
          columns={columns}
          rows={rows}
          rowId={(row) => String(row.message_id)}
          onOpen={(row) =>
            void navigate({ search: (old) => ({ ...old, message: row.message_id, activity: undefined }) })
          }
          empty={<EmptyState icon={MailOpen} title={t('messages.none')} text={t('messages.noneText')} />}
        />
      </Box>
    </Card>
  );
}
