import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { ChevronDown, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { FilterModel } from '#components/filter/model/filter.ts';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from '../access.ts';
import styles from '../contacts.module.css';
import { ExportDialog } from '../export-dialog.tsx';
import { filterOfSelection, selectedContactsLimit, type SelectionState } from '../selection.tsx';
import { BulkDialog, type BulkActionName } from './bulk-dialog.tsx';

const shownActions = ['addToList', 'removeFromList'] as const;
const moreActions = ['setAttribute', 'optOut'] as const;
/** Actions that cannot be undone. */
const lastActions = ['delete', 'erase'] as const;

/** What can be done with the selected contacts. Shown only when contacts are selected. */
export function BulkBar({
  access,
  filter,
  state,
  count,
  columns,
  onExportEveryone,
}: {
  readonly access: Access;
  readonly filter: FilterModel;
  readonly state: SelectionState;
  /** Exact number of contacts that match the filter. */
  readonly count: number | undefined;
  /** Names of the fields in the table, for an export. */
  readonly columns: readonly string[];
  /** Exports all contacts that match the filter. */
  readonly onExportEveryone: () => void;
}): ReactNode {
  const t = useTexts('filter');
  const [open, setOpen] = useState<BulkActionName | 'export' | undefined>(undefined);
  const { selection } = state;
  const mayChange = access.can('contacts:write');
  const mayErase = access.can('privacy:write');
  const isEveryone = selection.by === 'everyone';
  const selected = isEveryone ? count : selection.ids.size;
  const number = { count: selected ?? 0, formatted: formatNumber(selected ?? 0) };
  const isTooMany = selection.by === 'ids' && selection.ids.size > selectedContactsLimit;
  if (selection.by === 'ids' && selection.ids.size === 0) return null;
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('bulk.selected', number)}>
      <Text size="sm" fw={600} className={styles.count} role="status">
        {t(isEveryone ? 'bulk.everyone' : 'bulk.selected', number)}
      </Text>
      {!isEveryone && count !== undefined && count > selection.ids.size && (
        <Button variant="subtle" onClick={state.selectEveryone}>
          {t('bulk.selectEveryone', { count, formatted: formatNumber(count) })}
        </Button>
      )}
      {isTooMany && (
        <Text size="xs" c="red" role="alert">
          {t('bulk.tooMany')}
        </Text>
      )}
      <Group gap="xs" ml="auto">
        {mayChange && (
          <>
            {shownActions.map((name) => (
              <Button key={name} variant="default" disabled={isTooMany} onClick={() => setOpen(name)} visibleFrom="sm">
                {t(`bulk.${name}`)}
              </Button>
            ))}
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" disabled={isTooMany} rightSection={<ChevronDown size={14} aria-hidden />}>
                  {t('bulk.more')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {shownActions.map((name) => (
                  <Menu.Item key={name} onClick={() => setOpen(name)} hiddenFrom="sm">
                    {t(`bulk.${name}`)}
                  </Menu.Item>
                ))}
                {moreActions.map((name) => (
                  <Menu.Item key={name} onClick={() => setOpen(name)}>
                    {t(`bulk.${name}`)}
                  </Menu.Item>
                ))}
                {(mayErase ? lastActions : (['delete'] as const)).map((name) => (
                  <Menu.Item key={name} c="red" onClick={() => setOpen(name)}>
                    {t(`bulk.${name}`)}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          </>
        )}
        {mayErase && !mayChange && (
          <Button variant="outline" color="red" disabled={isTooMany} onClick={() => setOpen('erase')}>
            {t('bulk.erase')}
          </Button>
        )}
        {access.can('export') && (
          <Button
            variant="default"
            disabled={isTooMany}
            onClick={() => (isEveryone ? onExportEveryone() : setOpen('export'))}
          >
            {t('bulk.export')}
          </Button>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={t('bulk.clear')} onClick={state.clear}>
          <X size={16} />
        </ActionIcon>
      </Group>
      <ExportDialog
        access={access}
        isOpen={open === 'export'}
        onClose={() => setOpen(undefined)}
        filter={filterOfSelection(selection, filter)}
        columns={columns}
      />
      {open !== undefined && open !== 'export' && (
        <BulkDialog
          access={access}
          action={open}
          selection={selection}
          filter={filter}
          onClose={() => setOpen(undefined)}
          onStarted={state.clear}
        />
      )}
    </div>
  );
}
