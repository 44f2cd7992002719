import { notifications } from '@mantine/notifications';
import type { OperatorAttribute } from '@roster/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { Dialog } from '#components/actions/dialog.tsx';
import { whenApplied } from '#components/work/when-applied.ts';
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
  // While the attribute is deleted, its usage stays on view. It cannot be loaded again afterwards.
  const [confirmed, setConfirmed] = useState<typeof usage.data>();
  // The number must be that of now, not of an earlier dialog.
  const found = confirmed ?? (usage.isFetching ? undefined : usage.data);

  async function remove(): Promise<void> {
    setConfirmed(found);
    try {
      await removeConfirmed();
    } catch (error) {
      setConfirmed(undefined);
      throw error;
    }
  }

  async function removeConfirmed(): Promise<void> {
    const accepted = await account.asApiKey.attributes.delete([id]);
    const applied = await whenApplied(account, accepted);
    if (applied.state === 'refused') throw new Error(applied.failures.map(({ message }) => message).join(' '));
    notifications.show({
      withCloseButton: false,
      message: t(applied.state === 'done' ? 'delete.done' : 'delete.waiting', { name }),
    });
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
        onDone={onDeleted}
      >
        {t(count === 0 ? 'delete.textEmpty' : 'delete.text', { count, formatted: formatNumber(count) })}
      </ConfirmDialog>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={t(found === undefined ? 'delete.title' : 'delete.inUse', { name })}>
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
    </Dialog>
  );
}

function Counting({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }): ReactNode {
  return error === null ? <LoadingState rows={2} /> : <ErrorState error={error} onRetry={onRetry} />;
}
