import { Alert, Button, Checkbox, Group, Loader, Select, Stack, Text } from '@mantine/core';
import type { Export } from '@roster/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { Dialog } from '#components/actions/dialog.tsx';
import { noteStartedWork, useShownWork } from '#components/work/own-work.ts';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { toSearchFilter, type FilterModel } from '#components/filter/model/filter.ts';
import { ErrorState } from '#components/states/error-state.tsx';
import { formatBytes, formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from './access.ts';
import { exportColumns } from './export-columns.ts';

/** Milliseconds between two looks at the progress. */
const interval = 700;

/**
 * Exports a few selected contacts to a file, shows the progress, and offers the file. The page for a
 * new export has more choices, but its address cannot name each contact.
 */
export function ExportDialog({
  access,
  isOpen,
  onClose,
  filter,
  columns,
}: {
  readonly access: Access;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly filter: FilterModel;
  /** Names of the fields for the columns of the file. */
  readonly columns: readonly string[];
}): ReactNode {
  const t = useTexts('filter');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('export.title')}>
      {isOpen && <ExportForm access={access} filter={filter} columns={columns} />}
    </Dialog>
  );
}

function ExportForm({
  access: { accountId, account },
  filter,
  columns,
}: {
  readonly access: Access;
  readonly filter: FilterModel;
  readonly columns: readonly string[];
}): ReactNode {
  const t = useTexts('filter');
  const { fields } = useFilterSources();
  const [compresses, setCompresses] = useState(false);
  const [leftOut, setLeftOut] = useState<'none' | 'email' | 'mobile'>('none');
  const names = exportColumns(columns, fields.primaryKey);
  const hasMasked = columns.some((name) => fields.byName.get(name)?.isMasked === true);
  const create = useMutation({
    mutationFn: () =>
      account.exports.create({
        filter: toSearchFilter(filter),
        attributes: names,
        compression: compresses ? 'gzip' : 'none',
        ...(leftOut !== 'none' && { blocklist_type: leftOut }),
      }),
    onSuccess: ({ request_id: id }) => noteStartedWork({ kind: 'export', id }),
  });
  useDialog({ isRunning: create.isPending });
  const requestId = create.data?.request_id;
  useShownWork('export', requestId);
  const progress = useQuery({
    queryKey: ['accounts', accountId, 'exports', requestId],
    queryFn: ({ signal }) => account.exports.get(requestId!, { signal }),
    enabled: requestId !== undefined,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : interval),
  });
  if (create.data !== undefined) return <ExportProgress found={progress.data ?? create.data} />;
  return (
    <Stack>
      <Text size="sm">
        {t('export.columnsText', { count: names.length })} {hasMasked && t('export.masked')}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={3}>
        {names.join(', ')}
      </Text>
      <Select
        label={t('export.leaveOut')}
        data={[
          { value: 'none', label: t('export.leaveOutNone') },
          { value: 'email', label: t('export.leaveOutEmail') },
          { value: 'mobile', label: t('export.leaveOutMobile') },
        ]}
        allowDeselect={false}
        value={leftOut}
        onChange={(value) => setLeftOut(value === 'email' || value === 'mobile' ? value : 'none')}
      />
      <Checkbox
        label={t('export.compress')}
        checked={compresses}
        onChange={(event) => setCompresses(event.currentTarget.checked)}
      />
      {create.error !== null && <ErrorState error={create.error} />}
      <Group justify="flex-end">
        <Button loading={create.isPending} onClick={() => create.mutate()} data-autofocus>
          {t('export.start')}
        </Button>
      </Group>
    </Stack>
  );
}

function ExportProgress({ found }: { readonly found: Export }): ReactNode {
  const t = useTexts('filter');
  const { status, file_url: url, file_size: size, rows_written: rows, error } = found;
  if (status === 'failed' || status === 'cancelled') {
    return (
      <Alert color="red" role="alert" title={t(`export.${status}`)}>
        {error}
      </Alert>
    );
  }
  if (url === null) {
    return (
      <Group role="status">
        <Loader size="sm" />
        <Text size="sm">{t(status === 'accepted' ? 'export.waiting' : 'export.running')}</Text>
      </Group>
    );
  }
  return (
    <Stack>
      <Text size="sm" role="status">
        {t('export.done')}:{' '}
        {t('export.rows', { count: rows, formatted: formatNumber(rows), size: formatBytes(size ?? 0) })}
      </Text>
      <Group justify="flex-end">
        <Button
          component="a"
          href={pathOf(url)}
          download
          leftSection={<Download size={14} aria-hidden />}
          data-autofocus
        >
          {t('export.download')}
        </Button>
      </Group>
    </Stack>
  );
}

const isOver = (found: Export | undefined): boolean =>
  found !== undefined && found.status !== 'accepted' && found.status !== 'running';

/** The address of a file at this service, or at the store of the files. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname.startsWith('/files/') ? pathname + search : url;
}
