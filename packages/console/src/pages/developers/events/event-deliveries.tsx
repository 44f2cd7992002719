import type { EventDelivery } from '@roster/client';
import { Button, Select, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { EventDeliveryBadge } from './badges.tsx';

const shown = 50;

/** The newest deliveries of a subscription, or its dead letters, which can be sent again. */
export function EventDeliveries({ subscriptionId }: { readonly subscriptionId: string }): ReactNode {
  const t = useTexts('developers');
  const { accountId, account } = useAccount();
  const [status, setStatus] = useState<EventDelivery['status'] | null>(null);
  const deliveries = useQuery({
    queryKey: ['accounts', accountId, 'event-subscriptions', subscriptionId, 'deliveries', status],
    queryFn: ({ signal }) =>
      account.eventSubscriptions
        .deliveries(subscriptionId, { signal, limit: shown, ...(status === null ? {} : { status }) })
        .take(shown),
    refetchInterval: 3000,
  });
  return (
    <Stack gap="xs">
      <Select
        aria-label={t('deliveries.status')}
        placeholder={t('deliveries.anyStatus')}
        clearable
        clearButtonProps={{ 'aria-label': t('subscriptions.clear') }}
        w={220}
        value={status}
        onChange={(value) => setStatus(value)}
        data={(['pending', 'delivered', 'failed', 'cancelled'] as const).map((value) => ({
          value,
          label: t(`subscriptions.deliveryStatuses.${value}`),
        }))}
      />
      <QueryState query={deliveries}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('subscriptions.noDeliveries')}
            </Text>
          ) : (
            <DeliveryTable rows={rows} subscriptionId={subscriptionId} />
          )
        }
      </QueryState>
    </Stack>
  );
}

function DeliveryTable({
  rows,
  subscriptionId,
}: {
  readonly rows: readonly EventDelivery[];
  readonly subscriptionId: string;
}): ReactNode {
  const t = useTexts('developers');
  const reasonOf = useReasons();
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const replay = useMutation({
    mutationFn: (deliveryId: string) => account.eventSubscriptions.replayDelivery(subscriptionId, deliveryId),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['accounts', accountId, 'event-subscriptions'] }),
  });
  return (
    <>
      <ProblemAlert error={replay.error} />
      <ShortTable
        aria-label={t('subscriptions.deliveries')}
        verticalSpacing="xs"
        minWidth={860}
        heads={[
          t('deliveries.created'),
          t('deliveries.status'),
          t('subscriptions.positions'),
          t('subscriptions.events'),
          t('deliveries.attempts'),
          t('subscriptions.response'),
          t('deliveries.next'),
        ]}
      >
        {rows.map((row) => (
          <Table.Tr key={row.delivery_id}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <DateTime value={row.created_at} />
            </Table.Td>
            <Table.Td>
              <EventDeliveryBadge delivery={row} />
            </Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              {formatNumber(row.first_position)} – {formatNumber(row.last_position)}
            </Table.Td>
            <Table.Td>{row.events === null ? '–' : formatNumber(row.events)}</Table.Td>
            <Table.Td>{formatNumber(row.attempts)}</Table.Td>
            <Table.Td>
              {row.status_code ?? (row.error === null ? '–' : '')} {row.error !== null && reasonOf(row.error.message)}
            </Table.Td>
            <Table.Td>
              {row.status === 'failed' && can('callbacks:write') ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<RotateCcw size={14} aria-hidden />}
                  loading={replay.isPending && replay.variables === row.delivery_id}
                  onClick={() => replay.mutate(row.delivery_id)}
                >
                  {t('deliveries.replay')}
                </Button>
              ) : (
                <DateTime value={row.next_attempt_at} ago />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </ShortTable>
    </>
  );
}
