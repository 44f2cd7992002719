import { Badge, Button, Group, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { ArrowRight } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useIsNarrow } from '#components/layout/use-is-narrow.ts';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import type { TableRows } from '#components/table/table-rows.ts';
import { useTexts } from '#texts/use-texts.ts';
import { choiceLabel } from './choice-label.ts';
import { fieldOf, kindOf, type ColumnChoice, type PreviewColumn } from './column-choice.ts';
import { ColumnDialog } from './column-dialog.tsx';
import styles from './mapping.module.css';
import type { KnownAttribute } from './suggest.ts';

const nothing = (): void => undefined;

/** The columns of a file, and what each means. A click changes it. */
export function MappingTable({
  columns,
  choices,
  attributes,
  onChoose,
}: {
  readonly columns: readonly PreviewColumn[];
  readonly choices: Readonly<Record<string, ColumnChoice>>;
  readonly attributes: readonly KnownAttribute[];
  readonly onChoose: (header: string, choice: ColumnChoice) => void;
}): ReactNode {
  const t = useTexts('imports');
  const [open, setOpen] = useState<PreviewColumn | undefined>(undefined);
  const names = useMemo(() => new Set(attributes.map(({ name }) => name)), [attributes]);
  const isNarrow = useIsNarrow();
  const shown = useMemo(() => columnsOf(t, choices, names, setOpen, isNarrow), [choices, names, t, isNarrow]);
  const rows: TableRows<PreviewColumn> = useMemo(
    () => ({
      rows: columns,
      isLoading: false,
      isRefreshing: false,
      error: null,
      hasMore: false,
      isLoadingMore: false,
      loadMore: nothing,
      retry: nothing,
    }),
    [columns],
  );
  return (
    <div className={styles.table} style={isNarrow ? undefined : { height: Math.min(columns.length, 12) * 36 + 72 }}>
      <DataTable
        label={t('mapping.title')}
        columns={shown}
        rows={rows}
        rowId={({ at }) => String(at)}
        onOpen={setOpen}
        wraps={isNarrow}
        countText={(count) => t('preview.columns', { count })}
        empty={null}
      />
      {open !== undefined && (
        <ColumnDialog
          column={open}
          choice={choices[open.header] ?? null}
          attributes={attributes}
          onChoose={(choice) => onChoose(open.header, choice)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

function columnsOf(
  t: TFunction<'imports'>,
  choices: Readonly<Record<string, ColumnChoice>>,
  names: ReadonlySet<string>,
  onOpen: (column: PreviewColumn) => void,
  isNarrow: boolean,
): readonly DataColumn<PreviewColumn>[] {
  const header: DataColumn<PreviewColumn> = {
    id: 'header',
    label: t('mapping.column'),
    grows: isNarrow,
    width: isNarrow ? 90 : 170,
    cell: (column) => (
      <Text component="span" size="sm" fw={500} truncate={!isNarrow} dir="auto">
        {column.header}
      </Text>
    ),
  };
  const samples: DataColumn<PreviewColumn> = {
    id: 'samples',
    label: t('mapping.firstValues'),
    grows: true,
    width: 150,
    cell: (column) => (
      <Text component="span" size="sm" c="dimmed" truncate dir="auto">
        {column.samples.join(' · ')}
      </Text>
    ),
  };
  const meaning: DataColumn<PreviewColumn> = {
    id: 'meaning',
    label: t('mapping.writtenTo'),
    grows: isNarrow,
    width: isNarrow ? 110 : 420,
    cell: (column) => {
      const choice = choices[column.header] ?? null;
      return (
        <Group gap={6} wrap={isNarrow ? 'wrap' : 'nowrap'} className={styles.meaning}>
          {!isNarrow && <ArrowRight size={14} aria-hidden className={styles.arrow} />}
          <Text component="span" size="sm" truncate={!isNarrow} c={kindOf(choice) === 'skip' ? 'dimmed' : undefined}>
            {choiceLabel(choice, t, names)}
          </Text>
          <Note choice={choice} looksLike={column.samples.length === 0 ? undefined : column.looksLike} />
        </Group>
      );
    },
  };
  const change: DataColumn<PreviewColumn> = {
    id: 'change',
    label: t('mapping.change'),
    width: isNarrow ? 90 : 110,
    cell: (column) => (
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t('mapping.changeColumn', { header: column.header })}
        onClick={() => onOpen(column)}
      >
        {t('mapping.change')}
      </Button>
    ),
  };
  // The dialog of a column has its first values, too.
  return isNarrow ? [header, meaning, change] : [header, samples, meaning, change];
}

/** The options of a choice that matter at first sight. */
function Note({
  choice,
  looksLike,
}: {
  readonly choice: ColumnChoice;
  /** Undefined if the first rows have no value. */
  readonly looksLike: PreviewColumn['looksLike'] | undefined;
}): ReactNode {
  const t = useTexts('imports');
  const field = fieldOf(choice);
  const text =
    kindOf(choice) === 'new'
      ? looksLike === undefined
        ? t('mapping.foundType')
        : looksLike === 'text'
          ? t('types.text')
          : t('mapping.guessedType', { type: t(`types.${looksLike}`) })
      : field?.date_format !== undefined
        ? t(`dateFormats.${field.date_format}`)
        : field?.number_format !== undefined
          ? t(`numberFormats.${field.number_format}`)
          : field?.data_type === undefined
            ? undefined
            : t(`types.${field.data_type}`);
  return text === undefined ? null : (
    <Badge variant="light" color="gray" size="sm" tt="none" fw={400} className={styles.badge}>
      {text}
    </Badge>
  );
}
