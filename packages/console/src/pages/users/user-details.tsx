import type { User } from '@roster/client';
import { Anchor, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { KeyValues } from '#components/values/key-values.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useConfirmed } from '#shell/account/confirmation.tsx';
import { usePerson } from '#shell/account/use-account.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** A change that asks first. */
type Question = 'block' | 'endSessions' | 'makeAdministrator' | 'removeAdministrator' | 'removeSecondFactor' | 'delete';

/** A user with the accounts, and what an administrator can do. */
export function UserDetails({ user, onDeleted }: { readonly user: User; readonly onDeleted: () => void }): ReactNode {
  const t = useTexts('users');
  const common = useTexts('common');
  return (
    <Stack gap="lg">
      <KeyValues
        entries={[
          [t('email'), user.email],
          [t('signIn'), t(user.has_password ? 'byPassword' : 'bySingleSignOn')],
          [t('secondFactor'), t(user.has_second_factor ? 'on' : 'off')],
          [t('sessions'), formatNumber(user.session_count)],
          [t('lastSeen'), <DateTime key="seen" value={user.last_seen_at} ago />],
          [t('created'), <DateTime key="created" value={user.created_at} />],
          [t('administrator'), t(user.is_installation_admin ? 'yes' : 'no')],
          [t('status'), user.is_disabled ? t('blocked') : common('status.active')],
        ]}
      />
      <Stack gap="xs">
        <Title order={3} size="h5">
          {t('accounts')}
        </Title>
        {user.accounts.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('noAccounts')}
          </Text>
        ) : (
          <Table aria-label={t('accounts')}>
            <Table.Tbody>
              {user.accounts.map(({ account_id: id, name, role, unmasked }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/accounts/${id}/settings/members`} size="sm">
                      {name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{t(`roles.${role}`)}</Table.Td>
                  <Table.Td>{unmasked && t('unmasked')}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
      <Actions user={user} onDeleted={onDeleted} />
    </Stack>
  );
}

function Actions({ user, onDeleted }: { readonly user: User; readonly onDeleted: () => void }): ReactNode {
  const t = useTexts('users');
  const common = useTexts('common');
  const confirmed = useConfirmed();
  const cache = useQueryClient();
  const isSelf = usePerson()?.user_id === user.user_id;
  const [isAsking, setAsking] = useState(false);
  // It stays while the dialog closes.
  const [question, setQuestion] = useState<Question>('endSessions');
  const { user_id: id, name } = user;
  const refresh = () => cache.invalidateQueries({ queryKey: ['users'] });
  const unblock = useMutation({
    mutationFn: () => client.users.update(id, { is_disabled: false }),
    onSuccess: refresh,
  });
  const link = useMutation({ mutationFn: () => confirmed(() => client.users.passwordResetLink(user.email)) });
  const error = unblock.error ?? link.error;
  useDialog({ isRunning: unblock.isPending || link.isPending, isShownOnce: link.data !== undefined });

  async function answer(): Promise<void> {
    switch (question) {
      case 'block':
        await client.users.update(id, { is_disabled: true });
        break;
      case 'endSessions':
        await client.users.endSessions(id);
        break;
      case 'makeAdministrator':
        await confirmed(() => client.users.update(id, { is_installation_admin: true }));
        break;
      case 'removeAdministrator':
        await client.users.update(id, { is_installation_admin: false });
        break;
      case 'removeSecondFactor':
        await confirmed(() => client.users.removeSecondFactor(id));
        break;
      case 'delete':
        await confirmed(() => client.users.delete(id));
    }
    await refresh();
  }

  function open(one: Question): void {
    setQuestion(one);
    setAsking(true);
  }

  const ask = (one: Question, isRed = false) => (
    <Button variant="default" {...(isRed && { c: 'red' })} onClick={() => open(one)}>
      {t(`actions.${one}`)}
    </Button>
  );
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {t('manage')}
      </Title>
      <ProblemAlert error={error} />
      {link.data !== undefined && (
        <Stack gap="xs" role="status">
          <Text size="sm">{t('linkMade', { name })}</Text>
          <CodeBlock code={link.data} isResult />
          <Group>
            <Button variant="default" onClick={() => link.reset()}>
              {common('actions.close')}
            </Button>
          </Group>
        </Stack>
      )}
      <Group gap="xs">
        <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
          {t('actions.resetLink')}
        </Button>
        {user.session_count > 0 && ask('endSessions')}
        {user.has_second_factor && ask('removeSecondFactor')}
        {ask(user.is_installation_admin ? 'removeAdministrator' : 'makeAdministrator')}
        {user.is_disabled ? (
          <Button variant="default" loading={unblock.isPending} onClick={() => unblock.mutate()}>
            {t('actions.unblock')}
          </Button>
        ) : (
          !isSelf && ask('block', true)
        )}
        {!isSelf && ask('delete', true)}
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t(`questions.${question}`, { name })}
        action={t(`actions.${question}`)}
        {...(question === 'delete' && { word: user.email })}
        isHarmless={question === 'endSessions' || question === 'makeAdministrator'}
        onConfirm={answer}
        onDone={() => {
          if (question === 'delete') onDeleted();
        }}
      >
        {t(`effects.${question}`)}
      </ConfirmDialog>
    </Stack>
  );
}
