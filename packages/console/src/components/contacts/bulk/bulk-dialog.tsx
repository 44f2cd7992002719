import { Stack, Text } from '@mantine/core';
import type { BulkChange, CreateBulkChangeBody } from '@roster/client';
import { RosterError } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { toAddress } from '#components/filter/model/filter-address.ts';
import { toSearchFilter, type FilterModel } from '#components/filter/model/filter.ts';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from '../access.ts';
import { countContacts } from '../contact-search.ts';
import type { Selection } from '../selection.tsx';
import { useNewList } from '../use-new-list.ts';
import { BulkFields, type BulkFieldsValue } from './bulk-fields.tsx';
import { useFollowBulkChange } from './follow-bulk-change.tsx';

/** An action on the selected contacts. */
export type BulkActionName = 'addToList' | 'removeFromList' | 'setAttribute' | 'optOut' | 'delete' | 'erase';

/** Asks for what an action needs, shows how many contacts it affects, and starts it. */
export function BulkDialog({
  access,
  action,
  selection,
  filter,
  onClose,
  onStarted,
}: {
  readonly access: Access;
  readonly action: BulkActionName;
  readonly selection: Selection;
  readonly filter: FilterModel;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}): ReactNode {
  const t = useTexts('filter');
  const follow = useFollowBulkChange(access);
  const withNewList = useNewList(access.account);
  const [value, setValue] = useState<BulkFieldsValue>({});
  const [hasChanged, setChanged] = useState(false);
  // Counted now, because the number in the table can be some time old.
  const everyone = useQuery({
    queryKey: ['accounts', access.accountId, 'contacts', 'affected', toAddress(filter) ?? null],
    queryFn: ({ signal }) => countContacts(access, filter, signal),
    enabled: selection.by === 'everyone',
    gcTime: 0,
    staleTime: 0,
  });
  const affected = selection.by === 'ids' ? selection.ids.size : everyone.isFetching ? undefined : everyone.data;
  const isReady = affected !== undefined && isFilled(action, value);

  async function start(): Promise<void> {
    const create = (fields: BulkFieldsValue): Promise<BulkChange> =>
      access.account.bulkChanges.create({
        ...contactsOf(selection, filter),
        action: actionOf(action, fields),
        expected_count: affected ?? 0,
      });
    try {
      const change = await (value.newList === undefined
        ? create(value)
        : withNewList(value.newList, (list) => create({ audienceId: list.audience_id })));
      void follow(change);
      onStarted();
    } catch (error) {
      if (error instanceof RosterError && error.code === 'conflict') {
        setChanged(true);
        await everyone.refetch();
      }
      throw error;
    }
  }

  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t(`bulk.${action}`)}
      action={t(`bulk.${action}`)}
      affected={isReady ? affected : affected === undefined ? 'counting' : undefined}
      isHarmless={action === 'addToList'}
      isDisabled={!isReady}
      hasEntries={Object.keys(value).length > 0}
      onConfirm={start}
    >
      <Stack gap="sm">
        <Text size="sm">{t(`bulk.texts.${action}`)}</Text>
        <BulkFields action={action} value={value} onChange={setValue} canCreateList={access.can('lists:write')} />
        {hasChanged && affected !== undefined && (
          <Text size="sm" c="orange" role="alert">
            {t('bulk.changed', { formatted: formatNumber(affected) })}
          </Text>
        )}
      </Stack>
    </ConfirmDialog>
  );
}

function contactsOf(
  selection: Selection,
  filter: FilterModel,
): Pick<CreateBulkChangeBody, 'contact_ids' | 'all_contacts' | 'filtering_criteria' | 'filtering_criteria_operator'> {
  if (selection.by === 'ids') return { contact_ids: [...selection.ids] };
  return filter.groups.length === 0 ? { all_contacts: true } : toSearchFilter(filter);
}

function isFilled(
  action: BulkActionName,
  { audienceId, newList, attribute, value, channels }: BulkFieldsValue,
): boolean {
  switch (action) {
    case 'addToList':
      return audienceId !== undefined || newList !== undefined;
    case 'removeFromList':
      return audienceId !== undefined;
    case 'setAttribute':
      return attribute !== undefined && value !== undefined;
    case 'optOut':
      return channels !== undefined && channels.length > 0;
    case 'delete':
    case 'erase':
      return true;
  }
}

function actionOf(
  action: BulkActionName,
  { audienceId, attribute, value, channels }: BulkFieldsValue,
): CreateBulkChangeBody['action'] {
  switch (action) {
    case 'addToList':
      return { type: 'add_to_list', audience_id: audienceId };
    case 'removeFromList':
      return { type: 'remove_from_list', audience_id: audienceId };
    case 'setAttribute':
      return { type: 'set_attribute', attribute, value: value ?? null };
    case 'optOut':
      return { type: 'opt_out', channels };
    case 'delete':
      return { type: 'delete' };
    case 'erase':
      return { type: 'erase' };
  }
}
