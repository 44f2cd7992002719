import type { RequestSummary } from '@roster/client';
import { requestFailures } from '@roster/contract/operations/definition/request-failures.ts';
import { Group, Select, Text } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { CalendarDefaults } from '#components/dates/calendar-defaults.tsx';
import { ButtonLink } from '#components/actions/links.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { dayEnd, dayStart } from '#components/values/day-bounds.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useTimeZone } from '#components/values/time-zone.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DevelopersHeader } from './section/developers-section.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import type { RequestsSearch } from './searches.ts';

const operations = Object.keys(requestFailures).sort();

/** The log of accepted requests. */
export function RequestsPage(): ReactNode {
  const t = useTexts('developers');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const search = useSearch({ from: '/signed-in/accounts/$accountId/developers/requests' });
  const timeZone = useTimeZone();
  const { from, to, ...others } = search;
  const filter = {
    ...others,
    ...(from !== undefined && { from: dayStart(from, timeZone) }),
    ...(to !== undefined && { before: dayEnd(to, timeZone) }),
  };
  const navigate = useNavigate();
  const rows = useRowsOfPages(
    useInfiniteQuery(
      listingQuery(['accounts', accountId, 'requests', filter], (more) =>
        account.requests.list({ ...filter, ...more }),
      ),
    ),
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const set = (change: RequestsSearch) =>
    void navigate({ to: '.', search: { ...search, ...change } as never, replace: true });

  const columns = useMemo(
    (): DataColumn<RequestSummary>[] => [
      {
        id: 'accepted',
        label: t('requests.accepted'),
        cell: (row) => <DateTime value={row.accepted_at} />,
        width: momentWidth,
        isName: true,
      },
      {
        id: 'operation',
        label: t('requests.operation'),
        cell: (row) => (
          <Text inherit ff="monospace">
            {row.operation}
          </Text>
        ),
        width: 170,
      },
      {
        id: 'outcome',
        label: t('requests.outcome'),
        cell: (row) => <OutcomeBadge request={row} />,
        width: 190,
        minWidth: 162,
      },
      {
        id: 'total',
        label: t('requests.items'),
        cell: (row) => formatNumber(row.counts.total),
        width: 90,
        align: 'end',
      },
      {
        id: 'failed',
        label: t('requests.failed'),
        cell: (row) => <Count value={row.counts.failed} color="red" />,
        width: 90,
        align: 'end',
      },
      {
        id: 'warnings',
        label: t('requests.warnings'),
        cell: (row) => <Count value={row.counts.warnings} color="orange" />,
        width: 110,
        align: 'end',
      },
      {
        id: 'id',
        label: t('requests.id'),
        cell: (row) => (
          <Text inherit ff="monospace" truncate c="dimmed">
            {row.request_id}
          </Text>
        ),
        width: 300,
        grows: true,
      },
    ],
    [t],
  );

  const call = { operation: 'listRequests', path: { account_id: accountId }, query: { ...filter } } as const;
  return (
    <Page fill>
      <DevelopersHeader title={t('requests.title')} text={t('requests.text')}>
        <ApiCallButton call={call} />
      </DevelopersHeader>
      <Group gap="xs">
        <Select
          aria-label={t('requests.outcome')}
          placeholder={t('requests.anyOutcome')}
          clearable
          w={220}
          value={filter.outcome ?? null}
          onChange={(value) => set({ outcome: value ?? undefined })}
          data={(['failed', 'all_failed', 'some_failed', 'warnings', 'succeeded'] as const).map((value) => ({
            value,
            label: t(`requests.outcomes.${value}`),
          }))}
        />
        <Select
          aria-label={t('requests.operation')}
          placeholder={t('requests.anyOperation')}
          clearable
          searchable
          w={220}
          value={filter.operation ?? null}
          onChange={(value) => set({ operation: value ?? undefined })}
          data={operations}
        />
        <Select
          aria-label={t('requests.status')}
          placeholder={t('requests.anyStatus')}
          clearable
          w={180}
          value={filter.status ?? null}
          onChange={(value) => set({ status: value ?? undefined })}
          data={(['accepted', 'done', 'failed'] as const).map((value) => ({
            value,
            label: t(`requests.statuses.${value}`),
          }))}
        />
        <CalendarDefaults>
          {(calendar) => (
            <DatePickerInput
              {...calendar}
              type="range"
              placeholder={t('requests.anyDay')}
              valueFormat="YYYY-MM-DD"
              allowSingleDateInRange
              clearable
              clearButtonProps={{ 'aria-label': t('requests.clearDays') }}
              w={250}
              value={[from ?? null, to ?? null]}
              onChange={([first, last]) => set({ from: first ?? undefined, to: last ?? undefined })}
            />
          )}
        </CalendarDefaults>
      </Group>
      <DataTable
        label={t('requests.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.request_id}
        pageOf={(row) => `/accounts/${accountId}/developers/requests/${row.request_id}`}
        empty={
          isFiltered ? (
            <EmptyState icon={ScrollText} title={t('requests.noMatch.title')} text={t('requests.noMatch.text')} />
          ) : (
            <EmptyState
              icon={ScrollText}
              guide="/docs/guides/developer#see-what-became-of-a-request"
              title={t('requests.empty.title')}
              text={t('requests.empty.text')}
              action={
                can('api-keys:write') && (
                  <ButtonLink to="/accounts/$accountId/developers/api-keys" params={{ accountId }}>
                    {common('empty.newKey')}
                  </ButtonLink>
                )
              }
              curl={curlOf({
                operation: 'createContacts',
                body: { data: { contact_type: 'identified', contacts: [{ identity: 'asha@example.com' }] } },
              })}
            />
          )
        }
      />
    </Page>
  );
}

function Count({ value, color }: { readonly value: number; readonly color: string }): ReactNode {
  return value === 0 ? (
    <Text inherit component="span" c="dimmed">
      0
    </Text>
  ) : (
    <Text inherit component="span" fw={600} c={`var(--mantine-color-${color}-text)`}>
      {formatNumber(value)}
    </Text>
  );
}
