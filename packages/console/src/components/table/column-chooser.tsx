import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { Columns3, Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { isVisible, type DataColumn } from './columns.ts';

/** Above this number of columns, the chooser has a field to find one. */
const searchAbove = 12;

/** More columns are not listed at once. They can be found by name. */
const listed = 100;

/** Chooses the columns of a table. Keep the result in the address. */
export function ColumnChooser<Row>({
  columns,
  shown,
  most = Number.POSITIVE_INFINITY,
  onChange,
}: {
  readonly columns: readonly DataColumn<Row>[];
  readonly shown: readonly string[] | undefined;
  /** Maximum number of shown columns; default: any number. */
  readonly most?: number;
  /** Gets the ids of the shown columns; undefined for the default. */
  readonly onChange: (shown: readonly string[] | undefined) => void;
}): ReactNode {
  const t = useTexts('common');
  const [wanted, setWanted] = useState('');
  // The shown columns come first. They keep their places while the chooser is open.
  const [first, setFirst] = useState<ReadonlySet<string>>(new Set());
  const choices = columns.filter(({ isFixed }) => isFixed !== true);
  const isOn = (column: DataColumn<Row>): boolean => isVisible(column, shown);
  const count = choices.filter(isOn).length;
  const found = choices
    .filter(({ label }) => label.toLowerCase().includes(wanted.trim().toLowerCase()))
    .toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)));
  const toggle = (id: string, isChosen: boolean): void => {
    const next = choices.filter((column) => (column.id === id ? isChosen : isOn(column))).map((column) => column.id);
    const standard = choices.filter(({ isOptional }) => isOptional !== true).map((column) => column.id);
    onChange(next.join() === standard.join() ? undefined : next);
  };
  const open = (): void => {
    setWanted('');
    setFirst(new Set(choices.filter(isOn).map(({ id }) => id)));
  };
  return (
    <Popover position="bottom-end" shadow="md" width={280} trapFocus onOpen={open}>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={14} aria-hidden />}>
          {t('table.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('table.columns')}>
        <Stack gap="xs">
          {choices.length > searchAbove && (
            <TextInput
              aria-label={t('table.findColumn')}
              placeholder={t('table.findColumn')}
              leftSection={<Search size={14} aria-hidden />}
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
          )}
          <Group justify="space-between" mih={22}>
            <Text size="xs" c="dimmed">
              {t('table.shownColumns', {
                shown: formatNumber(count),
                all: formatNumber(choices.length),
              })}
            </Text>
            {shown !== undefined && (
              <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={() => onChange(undefined)}>
                {t('table.standardColumns')}
              </UnstyledButton>
            )}
          </Group>
          <ScrollArea.Autosize mah={320}>
            <Stack gap={6}>
              {found.slice(0, listed).map((column) => (
                <Checkbox
                  key={column.id}
                  label={column.label}
                  checked={isOn(column)}
                  disabled={count >= most && !isOn(column)}
                  onChange={(event) => toggle(column.id, event.currentTarget.checked)}
                  styles={{ label: { overflowWrap: 'anywhere' } }}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
          {count >= most && (
            <Text size="xs" role="status">
              {t('table.mostColumns', { formatted: formatNumber(most) })}
            </Text>
          )}
          {found.length === 0 && <Text size="sm">{t('table.noColumn')}</Text>}
          {found.length > listed && (
            <Text size="xs" c="dimmed">
              {t('table.moreColumns', { formatted: formatNumber(found.length - listed) })}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
