import type { RequestFailure } from '@roster/client';
import { Chip, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { CopyText } from '#components/actions/copy-text.tsx';
import { TextLink } from '#components/actions/links.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { MessageState } from '#components/states/message-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

/** One accepted request: its counts, its failures by code, and each failed item. */
export function RequestPage(): ReactNode {
  const t = useTexts('developers');
  const reasonOf = useReasons();
  const { requestId } = useParams({ from: '/signed-in/accounts/$accountId/developers/requests/$requestId' });
  const { code } = useSearch({ from: '/signed-in/accounts/$accountId/developers/requests/$requestId' });
  const navigate = useNavigate();
  const { accountId, account, can } = useAccount();
  const key = ['accounts', accountId, 'requests', requestId];
  const request = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => account.requests.get(requestId, { signal }),
    // A waiting request is applied within moments.
    refetchInterval: ({ state }) => (state.data?.status === 'accepted' ? 1_000 : false),
  });
  const seesContacts = can('contacts:read');
  const rows = useRowsOfPages(
    useInfiniteQuery(
      listingQuery([...key, 'failures', code], (more) =>
        account.requests.failures(requestId, {
          ...more,
          ...(code !== undefined && { failures_code: code }),
          ...(seesContacts && { failures_with_contacts: true }),
        }),
      ),
    ),
  );
  const columns = useMemo(
    (): DataColumn<RequestFailure>[] => [
      { id: 'index', label: t('requests.index'), cell: (row) => formatNumber(row.index), width: 80, align: 'end' },
      ...(seesContacts
        ? [
            {
              id: 'contact',
              label: t('requests.contact'),
              cell: (row: RequestFailure) => <NamedContact contact={row.contact} />,
              width: 210,
              minWidth: 170,
            },
          ]
        : []),
      {
        id: 'kind',
        label: t('requests.kind'),
        cell: (row) => t(row.warning ? 'requests.warning' : 'requests.failure'),
        width: 100,
      },
      {
        id: 'code',
        label: t('requests.code'),
        cell: (row) => (
          <Text inherit ff="monospace">
            {row.code}
          </Text>
        ),
        width: 240,
        minWidth: 220,
      },
      {
        id: 'field',
        label: t('requests.field'),
        cell: (row) => (
          <Text inherit ff="monospace" truncate>
            {row.field ?? '–'}
          </Text>
        ),
        width: 170,
      },
      {
        id: 'message',
        label: t('requests.message'),
        cell: (row) => reasonOf(row.message),
        width: 320,
        minWidth: 240,
        grows: true,
      },
    ],
    [t, reasonOf, seesContacts],
  );
  const choose = (chosen: string | undefined): void =>
    void navigate({
      to: '/accounts/$accountId/developers/requests/$requestId',
      params: { accountId, requestId },
      search: chosen === undefined ? {} : { code: chosen },
      replace: true,
    });

  return (
    <Page fill>
      <PageHeader
        title={t('requests.oneTitle')}
        above={[{ label: t('requests.title'), to: `/accounts/${accountId}/developers/requests` }]}
        badge={request.data && <OutcomeBadge request={request.data} />}
      >
        <ApiCallButton call={{ operation: 'getRequest', path: { account_id: accountId, request_id: requestId } }} />
      </PageHeader>
      <QueryState query={request}>
        {(found) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Paper withBorder p="md">
                <KeyValues
                  entries={[
                    [t('requests.id'), <CopyText key="id" value={found.request_id} />],
                    [
                      t('requests.operation'),
                      <Text key="operation" inherit ff="monospace">
                        {found.operation}
                      </Text>,
                    ],
                    [t('requests.accepted'), <DateTime key="accepted" value={found.accepted_at} />],
                    [t('requests.finished'), <DateTime key="finished" value={found.finished_at} />],
                  ]}
                />
              </Paper>
              <Paper withBorder p="md">
                <Group gap="xl">
                  {(['total', 'created', 'updated', 'unchanged', 'deleted', 'failed', 'warnings'] as const).map(
                    (name) => (
                      <Stack key={name} gap={0}>
                        <Text size="lg" fw={600}>
                          {formatNumber(found.counts[name])}
                        </Text>
                        <Text size="xs" c="dimmed">
                          {t(`requests.counts.${name}`)}
                        </Text>
                      </Stack>
                    ),
                  )}
                </Group>
              </Paper>
            </SimpleGrid>
            <Group justify="space-between">
              <Title order={2} size="h5">
                {t('requests.failures')}
              </Title>
              <Group gap="xs" role="group" aria-label={t('requests.byCode')}>
                {found.failure_codes.map(({ code: one, count }) => (
                  <Chip key={one} size="xs" checked={one === code} onChange={(isOn) => choose(isOn ? one : undefined)}>
                    {one} · {formatNumber(count)}
                  </Chip>
                ))}
              </Group>
            </Group>
            <DataTable
              label={t('requests.failures')}
              columns={columns}
              rows={rows}
              wraps
              rowId={(row) => `${row.index}/${row.code}/${row.field ?? ''}`}
              empty={<MessageState icon={CircleCheck} color="green" title={t('requests.noFailures')} />}
            />
          </>
        )}
      </QueryState>
    </Page>
  );
}

/** The contact that an item names, with a link to it. A masked identity finds no contact. */
function NamedContact({ contact }: { readonly contact: RequestFailure['contact'] }): ReactNode {
  const { accountId } = useAccount();
  if (contact === undefined) return '–';
  const { field, value } = contact;
  if (value.includes('****'))
    return (
      <Text inherit truncate>
        {value}
      </Text>
    );
  const look = { inherit: true, truncate: true, dir: 'auto' } as const;
  return field === 'contact_id' ? (
    <TextLink {...look} to="/accounts/$accountId/contacts/$contactId" params={{ accountId, contactId: value }}>
      {value}
    </TextLink>
  ) : (
    <TextLink
      {...look}
      to="/accounts/$accountId/contacts"
      params={{ accountId }}
      search={{ filter: ['and', ['and', [field, 'equals', value]]] }}
    >
      {value}
    </TextLink>
  );
}
