import { notifications } from '@mantine/notifications';
import type { OperatorAttribute } from '@roster/client';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { whenApplied } from '#components/actions/when-applied.ts';
import { ErrorState } from '#components/states/error-state.tsx';
import { LoadingState } from '#components/states/loading-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { UseList } from '../registry/use-list.tsx';
import { useRefreshAttributes, useUsage } from '../registry/use-attributes.ts';

/**
 * Deletes an attribute with its values. Shows what uses the attribute if that prevents it, and how
 * many contacts lose a value otherwise.
 */
export function DeleteDialog({
  attribute: { id, name },
  onClose,
  onDeleted,
}: {
  readonly attribute: OperatorAttribute;
  readonly onClose: () => void;
  readonly onDeleted: (() => void) | undefined;
}): ReactNode {
  const t = useTexts('attributes');
  const common = useTexts('common');
  const { account } = useAccount();
  const refresh = useRefreshAttributes();
  const usage = useUsage(id);
  // The number must be that of now, not of an earlier dialog.
  const found = usage.isFetching ? undefined : usage.data;

  async function remove(): Promise<void> {
    const accepted = await account.asApiKey.attributes.delete([id]);
    const applied = await whenApplied(account, accepted);
    if (applied.state === 'refused') throw new Error(applied.failures.map(({ message }) => message).join(' '));
    notifications.show({
      withCloseButton: false,
      message: t(applied.state === 'done' ? 'delete.done' : 'delete.waiting', { name }),
    });
    onDeleted?.();
    await refresh();
  }

  if (found !== undefined && !found.in_use) {
    const { contacts_with_value: count } = found;
    return (
      <ConfirmDialog
        isOpen
        onClose={onClose}
        title={t('delete.title', { name })}
        action={t('delete.action')}
        affected={count}
        onConfirm={remove}
      >
        {t(count === 0 ? 'delete.textEmpty' : 'delete.text', { count, formatted: formatNumber(count) })}
      </ConfirmDialog>
    );
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(found === undefined ? 'delete.title' : 'delete.inUse', { name })}
      closeButtonProps={{ 'aria-label': common('actions.close') }}
    >
      <Stack>
        {found === undefined ? (
          <Counting error={usage.isFetching ? null : usage.error} onRetry={() => void usage.refetch()} />
        ) : (
          <>
            <Text size="sm">{t('delete.inUseText')}</Text>
            <UseList uses={found.usage} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {common('actions.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Counting({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }): ReactNode {
  return error === null ? <LoadingState rows={2} /> : <ErrorState error={error} onRetry={onRetry} />;
}
