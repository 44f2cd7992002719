import { Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { Import, ImportFailureRow } from '@roster/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Download, FileUp } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { Dialog } from '#components/actions/dialog.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { useIsNarrow } from '#components/layout/use-is-narrow.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { useAccountDetail } from '#shell/account/use-account-detail.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';

/** The rows that failed, with their reasons, and how to fix and import them. */
export function FailedRows({ found }: { readonly found: Import }): ReactNode {
  const t = useTexts('imports');
  const { accountId, account, can } = useAccount();
  const { import_id: importId, dry_run: isCheck } = found;
  const [open, setOpen] = useState<ImportFailureRow | undefined>(undefined);
  const query = useInfiniteQuery({
    ...listingQuery(['accounts', accountId, 'imports', importId, 'failures'], (more) =>
      account.imports.failedRows(importId, more),
    ),
    enabled: can('imports:write'),
  });
  const rows = useRowsOfPages(query);
  const reasonOf = useRowReasons();
  const isNarrow = useIsNarrow();
  const columns = useMemo(() => columnsOf(t, reasonOf, isNarrow), [t, reasonOf, isNarrow]);
  if (!can('imports:write')) return null;
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            {t('failures.title')}
          </Title>
          <Group gap="xs">
            <Button
              component="a"
              href={`/admin/v1/accounts/${accountId}/imports/${importId}/failures`}
              download
              variant="default"
              leftSection={<Download size={14} aria-hidden />}
            >
              {t('failures.download')}
            </Button>
            {!isCheck && (
              <Button
                renderRoot={(props) => (
                  <Link
                    to="/accounts/$accountId/imports/new"
                    params={{ accountId }}
                    search={{ mapping_of: importId }}
                    {...props}
                  />
                )}
                leftSection={<FileUp size={14} aria-hidden />}
              >
                {t('failures.again')}
              </Button>
            )}
          </Group>
        </Group>
        <Text size="sm" c="dimmed">
          {isCheck ? t('failures.checkText') : t('failures.text')}
        </Text>
        <DataTable
          label={t('failures.title')}
          columns={columns}
          rows={rows}
          rowId={(row) => `${row.line} ${row.column ?? ''} ${row.code}`}
          onOpen={setOpen}
          wraps
          empty={<Text size="sm">{t('failures.none')}</Text>}
        />
      </Stack>
      {open !== undefined && <FailedRow row={open} reasonOf={reasonOf} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

type RowReason = (row: ImportFailureRow) => string;

/** Returns the function that says why a row failed. A wrong address or number has a reason of its own. */
function useRowReasons(): RowReason {
  const t = useTexts('imports');
  const reasonOf = useReasons();
  const primaryKey = useAccountDetail().data?.primary_key;
  return useCallback(
    ({ code, message }) => {
      if (code === 'identity_invalid' && primaryKey === 'EMAIL') return t('failures.noEmail');
      if (code === 'identity_invalid' && primaryKey === 'MOBILE') return t('failures.noMobile');
      return reasonOf(message);
    },
    [t, reasonOf, primaryKey],
  );
}

function columnsOf(
  t: TFunction<'imports'>,
  reasonOf: RowReason,
  isNarrow: boolean,
): readonly DataColumn<ImportFailureRow>[] {
  const reason = { id: 'reason', label: t('failures.reason'), grows: true } as const;
  const line = {
    id: 'line',
    label: t('failures.line'),
    align: 'end',
    cell: ({ line: at }: ImportFailureRow) => at,
  } as const;
  if (isNarrow)
    return [
      { ...line, width: 64 },
      {
        ...reason,
        width: 200,
        cell: (row) => (
          <>
            {row.column !== null && (
              <Text size="sm" c="dimmed" dir="auto">
                {row.column}: {shown(faultyValue(row))}
              </Text>
            )}
            <Cell text={reasonOf(row)} />
          </>
        ),
      },
    ];
  return [
    { ...line, width: 80 },
    { id: 'column', label: t('failures.column'), width: 150, cell: ({ column }) => <Cell text={column} /> },
    { id: 'value', label: t('failures.value'), width: 200, cell: (row) => <Cell text={faultyValue(row)} /> },
    { ...reason, width: 320, cell: (row) => <Cell text={reasonOf(row)} /> },
  ];
}

function faultyValue({ column, values, text }: ImportFailureRow): string | null {
  return column === null ? text : (values[column] ?? text);
}

/** More characters of a cell are only in the dialog of its row. */
const shownCharacters = 300;

function shown(text: string | null): string {
  if (text === null) return '–';
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}

function Cell({ text }: { readonly text: string | null }): ReactNode {
  return (
    <Text component="span" size="sm" dir="auto">
      {shown(text)}
    </Text>
  );
}

/** One failed row with all its cells. */
function FailedRow({
  row,
  reasonOf,
  onClose,
}: {
  readonly row: ImportFailureRow;
  readonly reasonOf: RowReason;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('imports');
  const values = Object.entries(row.values);
  return (
    <Dialog isOpen onClose={onClose} size="lg" title={t('failures.lineTitle', { line: row.line })}>
      <Stack>
        <Text size="sm">
          {row.column !== null && <Code mr={6}>{row.column}</Code>}
          {reasonOf(row)}
        </Text>
        {row.text !== null && <Code block>{row.text}</Code>}
        {values.length > 0 && (
          <KeyValues
            entries={values.map(([header, value]) => [
              header,
              <Text key={header} component="span" size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {value ?? '–'}
              </Text>,
            ])}
          />
        )}
      </Stack>
    </Dialog>
  );
}
