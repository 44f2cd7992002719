import { Button, Group, Select, Tabs, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { List, Segment } from '@roster/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Filter, ListPlus, Plus, Search } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { LiveBadge, ListGrowthCell, SegmentCount, SegmentGrowthCell, UsesCell } from './audience-cells.tsx';
import { NameDialog, useOpenNewAudience } from './audience-dialogs.tsx';
import { AudienceMenu } from './audience-menu.tsx';
import type { AudiencesSearch } from './audiences-search.ts';

type Audience = List | Segment;

/** The page /audiences: the lists and segments of the account. */
export function AudiencesPage(): ReactNode {
  const t = useTexts('audiences');
  const { accountId, can } = useAccount();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as AudiencesSearch;
  const kind = search.tab === 'segments' || !can('lists:read') ? 'segments' : 'lists';
  const change = (next: AudiencesSearch): void =>
    void navigate({ to: '.', search: { ...search, ...next }, replace: true });
  const order = search.order === 'member_count' && kind === 'segments' ? undefined : search.order;
  const query = { contains: search.contains, order: order ?? ('name' as const) };
  return (
    <Page fill>
      <PageHeader title={t('title')} text={t('text')}>
        <ApiCallButton
          call={{ operation: kind === 'lists' ? 'listLists' : 'listSegments', path: { account_id: accountId }, query }}
        />
        <CreateButton kind={kind} />
      </PageHeader>
      <Tabs
        value={kind}
        onChange={(tab) => change({ tab: tab === 'segments' ? 'segments' : undefined, order: undefined })}
      >
        <Tabs.List>
          {can('lists:read') && <Tabs.Tab value="lists">{t('lists')}</Tabs.Tab>}
          {can('segments:read') && <Tabs.Tab value="segments">{t('segments')}</Tabs.Tab>}
        </Tabs.List>
      </Tabs>
      <Group gap="xs">
        <NameSearch
          key={kind}
          value={search.contains ?? ''}
          onChange={(contains) => change({ contains: contains || undefined })}
        />
        <Select
          size="xs"
          w={190}
          aria-label={t('order.label')}
          allowDeselect={false}
          data={(kind === 'lists'
            ? (['name', 'updated_at', 'member_count'] as const)
            : (['name', 'updated_at'] as const)
          ).map((value) => ({ value, label: t(`order.${value}`) }))}
          value={query.order}
          onChange={(value) => change({ order: value === 'name' || value === null ? undefined : value })}
        />
      </Group>
      <AudienceTable key={kind} kind={kind} query={query} />
    </Page>
  );
}

function NameSearch({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const t = useTexts('audiences');
  const [text, setText] = useState(value);
  const changeLater = useDebouncedCallback(onChange, 200);
  return (
    <TextInput
      size="xs"
      w={260}
      aria-label={t('find')}
      placeholder={t('find')}
      leftSection={<Search size={14} aria-hidden />}
      maxLength={255}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        setText(next);
        changeLater(next.trim());
      }}
    />
  );
}

function CreateButton({ kind }: { readonly kind: 'lists' | 'segments' }): ReactNode {
  const t = useTexts('audiences');
  const { accountId, account, can } = useAccount();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const openNew = useOpenNewAudience();
  const [isOpen, setOpen] = useState(false);
  if (!can(`${kind}:write`)) return null;
  const start = (): void => {
    if (kind === 'lists') setOpen(true);
    else {
      void navigate({
        to: '/accounts/$accountId/contacts',
        params: { accountId },
        search: { build: true, segment: true },
      });
    }
  };
  return (
    <>
      <Button leftSection={<Plus size={14} aria-hidden />} onClick={start}>
        {t(`create.${kind}`)}
      </Button>
      {isOpen && (
        <NameDialog
          title={t('create.lists')}
          action={t('create.action')}
          name=""
          text={t('create.text')}
          onClose={() => setOpen(false)}
          onSubmit={async (name) => {
            const list = await account.lists.create({ name });
            await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'lists'] });
            await openNew(list);
          }}
        />
      )}
    </>
  );
}

function AudienceTable({
  kind,
  query,
}: {
  readonly kind: 'lists' | 'segments';
  readonly query: { readonly contains: string | undefined; readonly order: 'name' | 'updated_at' | 'member_count' };
}): ReactNode {
  const t = useTexts('audiences');
  const { accountId, account, can } = useAccount();
  const mayChange = can(kind === 'lists' ? 'lists:write' : 'segments:write');
  const { order, ...filter } = query;
  const found = useInfiniteQuery(
    listingQuery<Audience>(['accounts', accountId, kind, 'page', query], ({ signal }) =>
      kind === 'lists'
        ? account.lists.list({ limit: 100, order, ...filter, signal })
        : account.segments.list({ limit: 100, ...(order !== 'member_count' && { order }), ...filter, signal }),
    ),
  );
  const rows = useRowsOfPages<Audience>(found);
  const columns = useMemo(
    (): DataColumn<Audience>[] => [
      {
        id: 'name',
        label: t('name'),
        width: 280,
        // On a phone, names with the same beginning must differ.
        minWidth: 190,
        grows: true,
        isFixed: true,
        isName: true,
        cell: ({ name }) => name,
        badge: (audience) =>
          audience.audience_type === 'segment' && audience.live !== null ? <LiveBadge live={audience.live} /> : null,
      },
      {
        id: 'contacts',
        label: t('contacts'),
        width: 130,
        // On a phone, the number is not cut off.
        minWidth: 100,
        align: 'end',
        cell: (audience) =>
          audience.audience_type === 'list' ? (
            formatNumber(audience.member_count)
          ) : (
            <SegmentCount audienceId={audience.audience_id} />
          ),
      },
      {
        id: 'growth',
        label: t('growth.column'),
        width: 172,
        cell: (audience) =>
          audience.audience_type === 'list' ? (
            <ListGrowthCell list={audience} />
          ) : (
            <SegmentGrowthCell audienceId={audience.audience_id} />
          ),
      },
      {
        id: 'uses',
        label: t('uses.column'),
        width: 240,
        minWidth: 190,
        cell: ({ uses, use_count: count }) => <UsesCell uses={uses} count={count} />,
      },
      { id: 'updated_at', label: t('updated'), width: 190, cell: ({ updated_at: at }) => <DateTime value={at} ago /> },
      ...(mayChange
        ? [
            {
              id: 'actions',
              isPinned: true,
              label: t('actions'),
              header: <VisuallyHidden>{t('actions')}</VisuallyHidden>,
              width: 56,
              isFixed: true,
              cell: (audience: Audience) => <AudienceMenu audience={audience} />,
            },
          ]
        : []),
    ],
    [t, mayChange],
  );
  return (
    <DataTable
      label={t(kind)}
      columns={columns}
      rows={rows}
      rowId={({ audience_id: id }) => String(id)}
      pageOf={({ audience_type: type, audience_id: id }) => `/accounts/${accountId}/audiences/${type}s/${id}`}
      empty={
        query.contains === undefined ? (
          <EmptyState
            icon={kind === 'lists' ? ListPlus : Filter}
            title={t(`empty.${kind}.title`)}
            text={t(`empty.${kind}.text`)}
            action={<CreateButton kind={kind} />}
            guide="/docs/guides/marketer#keep-the-choice-as-a-segment"
            curl={curlOf({
              operation: kind === 'lists' ? 'createList' : 'createSegment',
              path: { account_id: accountId },
              body: kind === 'lists' ? { name: 'Newsletter' } : { name: 'Everyone', filtering_criteria: [] },
            })}
          />
        ) : (
          <EmptyState icon={Search} title={t('empty.found')} text={t('empty.foundText')} />
        )
      }
    />
  );
}
