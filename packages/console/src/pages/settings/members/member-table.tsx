import type { Member } from '@roster/client';
import { Button, Checkbox, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { sessionQuery } from '#api/session.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useAccount, usePerson } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { membersKey } from './keys.ts';
import { roles, useIsOwner, type Role } from './roles.ts';

/** The members of the account. Their roles can be changed in place. */
export function MemberTable({ members }: { readonly members: readonly Member[] }): ReactNode {
  const t = useTexts('settings');
  const { accountId, account } = useAccount();
  const cache = useQueryClient();
  const [removed, setRemoved] = useState<Member>();
  const [changed, setChanged] = useState<RoleChange>();
  const wordsOf = ({ member, role }: RoleChange) => ({ name: member.name, role: t(`members.roles.${role}`) });
  const refresh = async (): Promise<void> => {
    await cache.invalidateQueries({ queryKey: membersKey(accountId) });
    await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const change = useMutation({
    mutationFn: ({ id, body }: { id: number; body: { role?: Role; unmasked?: boolean } }) =>
      account.members.update(id, body),
    onSettled: refresh,
  });

  async function remove(): Promise<void> {
    await account.members.remove(removed!.user_id);
    await refresh();
  }

  return (
    <Stack gap="sm">
      {/* The dialog shows its own error. */}
      {changed === undefined && <ProblemAlert error={change.error} />}
      {members.length === 0 ? (
        <Text size="sm">{t('members.none')}</Text>
      ) : (
        <ShortTable
          aria-label={t('members.title')}
          verticalSpacing="sm"
          minWidth={680}
          heads={[t('members.person'), t('members.role'), t('members.unmasked'), t('members.lastSeen')]}
          actions={t('members.actions')}
        >
          {members.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              onChange={(body) => change.mutate({ id: member.user_id, body })}
              onAsk={(role) => setChanged({ member, role })}
              onRemove={() => setRemoved(member)}
            />
          ))}
        </ShortTable>
      )}
      <ConfirmDialog
        isOpen={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('members.removeTitle', { name: removed?.name ?? '' })}
        action={t('members.remove')}
        onConfirm={remove}
      >
        {t('members.removeText')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={changed !== undefined}
        onClose={() => setChanged(undefined)}
        title={changed === undefined ? '' : t('members.changeTitle', wordsOf(changed))}
        action={t('members.change')}
        onConfirm={() => change.mutateAsync({ id: changed!.member.user_id, body: { role: changed!.role } })}
      >
        {changed?.role === 'owner' ? t('members.ownerText') : t('members.ownText')}
      </ConfirmDialog>
    </Stack>
  );
}

/** A change of a role that is asked for first. */
interface RoleChange {
  readonly member: Member;
  readonly role: Role;
}

function MemberRow({
  member,
  onChange,
  onAsk,
  onRemove,
}: {
  readonly member: Member;
  readonly onChange: (body: { role?: Role; unmasked?: boolean }) => void;
  /** Asks before an owner is made, and before people change their own rights. */
  readonly onAsk: (role: Role) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const t = useTexts('settings');
  const current = useAccount();
  const isOwner = useIsOwner(current);
  const isSelf = usePerson()?.user_id === member.user_id;
  const mayChange = current.can('members:write') && (isOwner || member.role !== 'owner');
  function changeRole(role: Role): void {
    if (role === member.role) return;
    if (role === 'owner' || isSelf) onAsk(role);
    else onChange({ role });
  }
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {member.name}
          </Text>
          {isSelf && <ColourBadge color="indigo">{t('members.you')}</ColourBadge>}
          {member.is_disabled && <ColourBadge color="gray">{t('members.disabled')}</ColourBadge>}
        </Group>
        <Text size="xs" c="dimmed">
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td>
        <Select
          aria-label={t('members.roleOf', { name: member.name })}
          data={roles.map((role) => ({
            value: role,
            label: t(`members.roles.${role}`),
            disabled: role === 'owner' && !isOwner,
          }))}
          value={member.role}
          onChange={(value) => changeRole(value as Role)}
          allowDeselect={false}
          disabled={!mayChange}
          size="xs"
          w={140}
        />
      </Table.Td>
      <Table.Td>
        <Checkbox
          aria-label={t('members.unmaskedOf', { name: member.name })}
          checked={member.unmasked}
          onChange={(event) => onChange({ unmasked: event.currentTarget.checked })}
          // Only owners grant it, and nobody grants it to themselves.
          disabled={!mayChange || (!member.unmasked && (!isOwner || isSelf))}
        />
      </Table.Td>
      <Table.Td>
        <DateTime value={member.last_seen_at} ago />
      </Table.Td>
      <Table.Td ta="right">
        {mayChange && !isSelf && (
          <Button
            variant="subtle"
            size="compact-sm"
            color="red"
            aria-label={t('members.removeNamed', { name: member.name })}
            onClick={onRemove}
          >
            {t('members.remove')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
