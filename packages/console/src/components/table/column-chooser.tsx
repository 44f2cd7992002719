import { Button, Checkbox, Popover, ScrollArea, Stack, TextInput } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { isVisible, type DataColumn } from './columns.ts';

/** Above this number of columns, the chooser has a field to find one. */
const searchAbove = 12;

/** Chooses the columns of a table. Keep the result in the address. */
export function ColumnChooser<Row>({
  columns,
  shown,
  onChange,
}: {
  readonly columns: readonly DataColumn<Row>[];
  readonly shown: readonly string[] | undefined;
  /** Gets the ids of the shown columns; undefined for the default. */
  readonly onChange: (shown: readonly string[] | undefined) => void;
}): ReactNode {
  const t = useTexts('common');
  const [wanted, setWanted] = useState('');
  const choices = columns.filter(({ isFixed }) => isFixed !== true);
  const found = choices.filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()));
  const toggle = (id: string, isOn: boolean): void => {
    const next = choices
      .filter((column) => (column.id === id ? isOn : isVisible(column, shown)))
      .map((column) => column.id);
    const standard = choices.filter(({ isOptional }) => isOptional !== true).map((column) => column.id);
    onChange(next.join() === standard.join() ? undefined : next);
  };
  return (
    <Popover position="bottom-end" shadow="md" width={260} trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={14} aria-hidden />}>
          {t('table.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('table.columns')}>
        <Stack gap="xs">
          {choices.length > searchAbove && (
            <TextInput
              aria-label={t('table.columns')}
              placeholder={t('table.columns')}
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
          )}
          <ScrollArea.Autosize mah={320}>
            <Stack gap={6}>
              {found.slice(0, 200).map((column) => (
                <Checkbox
                  key={column.id}
                  label={column.label}
                  checked={isVisible(column, shown)}
                  onChange={(event) => toggle(column.id, event.currentTarget.checked)}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
