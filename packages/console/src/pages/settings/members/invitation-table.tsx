import type { Invitation } from '@roster/client';
import { Button, Stack, Table, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { invitationsKey } from './keys.ts';
import { useIsOwner } from './roles.ts';

/** The invitations that nobody has accepted yet. */
export function InvitationTable({ invitations }: { readonly invitations: readonly Invitation[] }): ReactNode {
  const t = useTexts('settings');
  const current = useAccount();
  const { accountId } = current;
  const isOwner = useIsOwner(current);
  const cache = useQueryClient();
  const [withdrawn, setWithdrawn] = useState<Invitation>();

  async function withdraw(): Promise<void> {
    await current.account.invitations.delete(withdrawn!.invitation_id);
    await cache.invalidateQueries({ queryKey: invitationsKey(accountId) });
  }

  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {t('members.invitations')}
      </Title>
      <ShortTable
        aria-label={t('members.invitations')}
        minWidth={560}
        heads={[t('members.email'), t('members.role'), t('members.expires')]}
        actions={t('members.actions')}
      >
        {invitations.map((invitation) => (
          <Table.Tr key={invitation.invitation_id}>
            <Table.Td>{invitation.email}</Table.Td>
            <Table.Td>
              {t(`members.roles.${invitation.role}`)}
              {invitation.unmasked && (
                <Text size="xs" c="dimmed">
                  {t('members.unmasked')}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              {invitation.status === 'expired' ? t('members.expired') : <DateTime value={invitation.expires_at} />}
            </Table.Td>
            <Table.Td ta="right">
              {current.can('members:write') && (isOwner || invitation.role !== 'owner') && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  color="red"
                  aria-label={t('members.withdrawNamed', { email: invitation.email })}
                  onClick={() => setWithdrawn(invitation)}
                >
                  {t('members.withdraw')}
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </ShortTable>
      <ConfirmDialog
        isOpen={withdrawn !== undefined}
        onClose={() => setWithdrawn(undefined)}
        title={t('members.withdrawTitle', { email: withdrawn?.email ?? '' })}
        action={t('members.withdraw')}
        onConfirm={withdraw}
      >
        {t('members.withdrawText')}
      </ConfirmDialog>
    </Stack>
  );
}
