import type { DeliveryAttempt } from '@roster/client';
import { Button, Code, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { CopyText } from '#components/actions/copy-text.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DeliveryBadge } from './outcome-badge.tsx';

/** One callback: what was sent where, and every attempt. */
export function DeliveryPage(): ReactNode {
  const t = useTexts('developers');
  const { deliveryId } = useParams({ from: '/signed-in/accounts/$accountId/developers/deliveries/$deliveryId' });
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const key = ['accounts', accountId, 'deliveries', deliveryId];
  const delivery = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => account.deliveries.get(deliveryId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 1_000 : false),
  });
  const replay = useMutation({
    mutationFn: () => account.deliveries.replay(deliveryId),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['accounts', accountId, 'deliveries'] }),
  });
  const canReplay = can('callbacks:write') && delivery.data !== undefined && delivery.data.status !== 'pending';

  return (
    <Page>
      <PageHeader
        title={t('deliveries.oneTitle')}
        above={[{ label: t('deliveries.title'), to: `/accounts/${accountId}/developers/deliveries` }]}
        badge={delivery.data && <DeliveryBadge delivery={delivery.data} />}
      >
        <ApiCallButton
          call={{ operation: 'replayDelivery', path: { account_id: accountId, delivery_id: deliveryId } }}
        />
        {canReplay && (
          <Button
            leftSection={<RotateCcw size={14} aria-hidden />}
            loading={replay.isPending}
            onClick={() => replay.mutate()}
          >
            {t('deliveries.replay')}
          </Button>
        )}
      </PageHeader>
      <ProblemAlert error={replay.error} />
      <QueryState query={delivery}>
        {(found) => (
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Paper withBorder p="md">
                <KeyValues
                  entries={[
                    [t('deliveries.id'), <CopyText key="id" value={found.delivery_id} />],
                    [t('deliveries.source'), t(`deliveries.sources.${found.source}`)],
                    [t('deliveries.sourceId'), <CopyText key="source" value={found.source_id} />],
                    [t('deliveries.created'), <DateTime key="created" value={found.created_at} />],
                    [t('deliveries.finished'), <DateTime key="finished" value={found.finished_at} />],
                    [
                      t('deliveries.next'),
                      found.next_attempt_at === null ? undefined : (
                        <span key="next">
                          <DateTime value={found.next_attempt_at} /> (<DateTime value={found.next_attempt_at} ago />)
                        </span>
                      ),
                    ],
                  ]}
                />
              </Paper>
              <Paper withBorder p="md">
                <KeyValues
                  entries={[
                    [t('deliveries.method'), found.method],
                    [
                      t('deliveries.url'),
                      <Text key="url" inherit ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                        {found.url}
                      </Text>,
                    ],
                    [t('deliveries.headers'), found.header_names.join(', ')],
                  ]}
                />
              </Paper>
            </SimpleGrid>
            <Stack gap="xs">
              <Title order={2} size="h5">
                {t('deliveries.attemptLog')}
              </Title>
              <AttemptTable attempts={found.attempt_log} />
            </Stack>
            <Stack gap="xs">
              <Title order={2} size="h5">
                {t('deliveries.body')}
              </Title>
              {found.body === '' ? <Text size="sm">–</Text> : <CodeBlock code={formatted(found.body)} />}
            </Stack>
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function AttemptTable({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }): ReactNode {
  const t = useTexts('developers');
  const reasonOf = useReasons();
  if (attempts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('deliveries.noAttempts')}
      </Text>
    );
  return (
    <ShortTable
      aria-label={t('deliveries.attempts')}
      verticalSpacing="xs"
      minWidth={760}
      heads={[
        t('deliveries.attempt'),
        t('deliveries.started'),
        t('deliveries.duration'),
        t('deliveries.answer'),
        t('deliveries.error'),
      ]}
    >
      {attempts.map(({ attempt, started_at, duration_ms, status_code, error }) => (
        <Table.Tr key={attempt}>
          <Table.Td>{attempt}</Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>
            <DateTime value={started_at} />
          </Table.Td>
          <Table.Td>{duration_ms === null ? '–' : `${formatNumber(duration_ms)} ms`}</Table.Td>
          <Table.Td>{status_code ?? '–'}</Table.Td>
          <Table.Td>
            {error === null ? (
              '–'
            ) : (
              <>
                <Code>{error.code}</Code> {reasonOf(error.message)}
              </>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </ShortTable>
  );
}

/** Formats JSON with line ends. Returns another text as it is. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
