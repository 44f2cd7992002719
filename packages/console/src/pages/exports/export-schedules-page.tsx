import { ActionIcon, Button, Menu, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ExportSchedule, ExportScheduleRun } from '@roster/client';
import { CalendarClock, Ellipsis, Pause, Pencil, Play, Plus, ScrollText, Trash } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { SideDialog } from '#components/actions/side-dialog.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { ForbiddenState } from '#components/states/forbidden-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { ExportTabs } from './export-tabs.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleRuns } from './schedule-runs.tsx';
import { RunStatus, ScheduleStatus } from './schedule-status.tsx';
import { useTimingText } from './schedule-text.ts';
import { useSourceName } from './use-names.ts';

/** The page /exports/schedules. The open schedule is in the address. */
export function ExportSchedulesPage(): ReactNode {
  const t = useTexts('exports');
  const shell = useTexts('shell');
  const { accountId, account, can } = useAccount();
  const {
    schedule: openId,
    view = 'edit',
    ...selection
  } = useSearch({ from: '/signed-in/accounts/$accountId/exports/schedules' });
  const navigate = useNavigate({ from: '/accounts/$accountId/exports/schedules' });
  const query = useInfiniteQuery(
    listingQuery(['accounts', accountId, 'exports', 'schedules'], (more) => account.exportSchedules.list(more)),
  );
  const rows = useRowsOfPages(query);
  const open = (schedule: string | undefined, next: 'edit' | 'runs' = 'edit'): void =>
    void navigate({ search: schedule === undefined ? {} : { schedule, view: next } });
  const [error, setError] = useState<unknown>(undefined);
  const columns = useColumns(open, setError);
  const isNew = openId === 'new';
  const inList = rows.rows.find((row) => row.schedule_id === openId);
  // It is on a later page, or it was deleted.
  const other = useQuery({
    queryKey: ['accounts', accountId, 'exports', 'schedules', 'one', openId],
    queryFn: ({ signal }) => account.exportSchedules.get(openId!, { signal }),
    enabled: openId !== undefined && !isNew && inList === undefined && query.isSuccess,
  });
  const selected = isNew ? undefined : (inList ?? (other.error === null ? other.data : undefined));
  const isEditing = isNew || (selected !== undefined && view === 'edit' && can('export'));
  const newButton = can('export') && (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => open('new')}>
      {t('schedules.new')}
    </Button>
  );
  const example = {
    operation: 'createExportSchedule',
    path: { account_id: accountId },
    body: { name: t('schedules.namePlaceholder'), filter: {}, timing: { every: 'day', at: '06:30' } },
  } as const;
  return (
    <Page fill>
      <PageHeader title={t('title')} text={t('schedules.about')}>
        <ApiCallButton call={{ operation: 'listExportSchedules', path: { account_id: accountId } }} />
        {newButton}
      </PageHeader>
      <ExportTabs value="schedules" />
      <ProblemAlert error={error} mb="sm" withCloseButton onClose={() => setError(undefined)} />
      <DataTable
        label={shell('pages.schedules')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.schedule_id}
        onOpen={(row) => open(row.schedule_id, 'runs')}
        empty={
          <EmptyState
            icon={CalendarClock}
            title={t('schedules.emptyTitle')}
            text={t('schedules.emptyText')}
            action={newButton}
            guide="/docs/exports#schedules"
            curl={curlOf(example)}
          />
        }
      />
      <SideDialog
        isOpen={openId !== undefined && (isNew || query.isSuccess)}
        onClose={() => open(undefined)}
        size={isEditing ? 'lg' : 'xl'}
        title={
          isEditing
            ? t(selected === undefined ? 'schedules.new' : 'schedules.edit')
            : selected === undefined
              ? shell('pages.schedules')
              : `${selected.name} · ${t('schedules.history')}`
        }
      >
        {isNew && !can('export') ? (
          <ForbiddenState />
        ) : isEditing ? (
          <ScheduleForm key={openId} schedule={selected} selection={selection} />
        ) : selected === undefined ? (
          <QueryState query={other}>{() => null}</QueryState>
        ) : (
          <ScheduleRuns schedule={selected} />
        )}
      </SideDialog>
    </Page>
  );
}

function useColumns(
  open: (schedule: string, view: 'edit' | 'runs') => void,
  onError: (error: unknown) => void,
): readonly DataColumn<ExportSchedule>[] {
  const t = useTexts('exports');
  const nameOf = useSourceName();
  const timingOf = useTimingText();
  return [
    {
      id: 'name',
      label: t('schedules.name'),
      width: 220,
      grows: true,
      isFixed: true,
      cell: (row) => (
        <Text inherit truncate>
          {row.name}
        </Text>
      ),
    },
    {
      id: 'status',
      label: t('columns.status'),
      width: 120,
      minWidth: 118,
      cell: (row) => <ScheduleStatus status={row.status} />,
    },
    { id: 'what', label: t('columns.what'), width: 180, minWidth: 130, cell: nameOf },
    { id: 'when', label: t('schedules.when'), width: 220, minWidth: 150, cell: (row) => timingOf(row.timing) },
    { id: 'next', label: t('schedules.next'), width: momentWidth, cell: (row) => <DateTime value={row.next_run_at} /> },
    {
      id: 'last',
      label: t('schedules.last'),
      width: 150,
      minWidth: 136,
      cell: ({ last_run: run }) => <LastRun run={run} />,
    },
    {
      id: 'actions',
      isPinned: true,
      label: t('columns.actions'),
      header: <VisuallyHidden>{t('columns.actions')}</VisuallyHidden>,
      width: 56,
      isFixed: true,
      cell: (row) => <ScheduleMenu schedule={row} open={open} onError={onError} />,
    },
  ];
}

function LastRun({ run }: { readonly run: ExportScheduleRun | null }): ReactNode {
  const t = useTexts('exports');
  if (run === null) return t('schedules.never');
  return <RunStatus status={run.status} />;
}

function ScheduleMenu({
  schedule,
  open,
  onError,
}: {
  readonly schedule: ExportSchedule;
  readonly open: (schedule: string, view: 'edit' | 'runs') => void;
  readonly onError: (error: unknown) => void;
}): ReactNode {
  const t = useTexts('exports');
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const { schedule_id: id, version, status } = schedule;
  const onSuccess = () => cache.invalidateQueries({ queryKey: ['accounts', accountId, 'exports'] });
  const run = useMutation({
    mutationFn: () => account.exportSchedules.run(id),
    async onSuccess() {
      await onSuccess();
      open(id, 'runs');
    },
    onError,
  });
  const pause = useMutation({
    mutationFn: () => account.exportSchedules.update(id, { paused: status === 'active' }, { version }),
    onSuccess,
    onError,
  });
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('schedules.actions', { name: schedule.name })}
            loading={run.isPending || pause.isPending}
          >
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<ScrollText size={14} aria-hidden />} onClick={() => open(id, 'runs')}>
            {t('schedules.history')}
          </Menu.Item>
          {can('export') && (
            <>
              <Menu.Item leftSection={<Play size={14} aria-hidden />} onClick={() => run.mutate()}>
                {t('schedules.run')}
              </Menu.Item>
              <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={() => open(id, 'edit')}>
                {t('schedules.edit')}
              </Menu.Item>
              <Menu.Item leftSection={<Pause size={14} aria-hidden />} onClick={() => pause.mutate()}>
                {t(status === 'active' ? 'schedules.pause' : 'schedules.resume')}
              </Menu.Item>
              <Menu.Item c="red" leftSection={<Trash size={14} aria-hidden />} onClick={() => setDeleting(true)}>
                {t('schedules.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('schedules.deleteTitle')}
        action={t('schedules.delete')}
        onConfirm={async () => {
          await account.exportSchedules.delete(id);
          await onSuccess();
        }}
      >
        <Stack gap="xs">
          <Text fw={600}>{schedule.name}</Text>
          <Text size="sm">{t('schedules.deleteText')}</Text>
        </Stack>
      </ConfirmDialog>
    </>
  );
}
