import { RosterError, type OperatorAttribute } from '@roster/client';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { useFollowBulkChange } from '#components/contacts/bulk/follow-bulk-change.tsx';
import { ErrorState } from '#components/states/error-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { TypedValueInput } from '#components/inputs/typed-value-input.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Sets a value for all contacts that have none. It is a bulk change, which continues in the background. */
export function FillDialog({
  attribute: { id, name, data_type: type, default_value: preset },
  onClose,
}: {
  readonly attribute: OperatorAttribute;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('attributes');
  const access = useAccount();
  const { accountId, account } = access;
  const follow = useFollowBulkChange(access);
  const [value, setValue] = useState(preset);
  const [hasChanged, setChanged] = useState(false);
  const filter = {
    filtering_criteria: [{ condition_details: [{ field: name, operation: 'is_null' as const }] }],
  };
  const empty = useQuery({
    queryKey: ['accounts', accountId, 'attributes', id, 'empty'],
    queryFn: ({ signal }) => account.asApiKey.contacts.count(filter, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
  const count = empty.isFetching ? undefined : empty.data;
  const isReady = count !== undefined && count > 0 && value !== null;

  async function start(): Promise<void> {
    try {
      const change = await account.bulkChanges.create({
        ...filter,
        action: { type: 'set_attribute', attribute: name, value },
        expected_count: count ?? 0,
      });
      void follow(change);
    } catch (error) {
      if (error instanceof RosterError && error.code === 'conflict') {
        setChanged(true);
        await empty.refetch();
      }
      throw error;
    }
  }

  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t('fill.title', { name })}
      action={t('fill.action')}
      affected={isReady ? count : count === undefined && empty.error === null ? 'counting' : undefined}
      isHarmless
      isDisabled={!isReady}
      hasEntries={value !== preset}
      onConfirm={start}
    >
      <Stack gap="sm">
        <Text size="sm">{t('fill.text')}</Text>
        {count === 0 && (
          <Text size="sm" role="status" fw={600}>
            {t('fill.none')}
          </Text>
        )}
        {empty.error !== null && count === undefined && !empty.isFetching && (
          <ErrorState error={empty.error} onRetry={() => void empty.refetch()} />
        )}
        <TypedValueInput
          type={type}
          label={t('fill.value')}
          value={value}
          onChange={setValue}
          disabled={count === 0}
          data-autofocus
        />
        {count !== undefined && count > 0 && value === null && (
          <Text size="sm" c="dimmed">
            {t('fill.empty', { count, formatted: formatNumber(count) })}
          </Text>
        )}
        {hasChanged && count !== undefined && (
          <Text size="sm" c="orange" role="alert">
            {t('fill.changed', { formatted: formatNumber(count) })}
          </Text>
        )}
      </Stack>
    </ConfirmDialog>
  );
}
