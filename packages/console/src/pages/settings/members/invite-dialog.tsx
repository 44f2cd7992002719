import { Button, Checkbox, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton, Dialog } from '#components/actions/dialog.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { invitationsKey } from './keys.ts';
import { roles, useIsOwner, type Role } from './roles.ts';

/** Invites a person: address, role, and whether the person sees unmasked values. */
export function InviteDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('settings');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('members.invite')}>
      {isOpen && <InviteForm />}
    </Dialog>
  );
}

function InviteForm(): ReactNode {
  const t = useTexts('settings');
  const common = useTexts('common');
  const current = useAccount();
  const isOwner = useIsOwner(current);
  const cache = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [unmasked, setUnmasked] = useState(false);
  const invite = useMutation({
    mutationFn: () => current.account.invitations.create({ email, role, unmasked }),
    onSuccess: () => cache.invalidateQueries({ queryKey: invitationsKey(current.accountId) }),
  });

  const isMade = invite.data !== undefined;
  const dialog = useDialog({
    isRunning: invite.isPending,
    hasEntries: !isMade && (email !== '' || role !== 'editor' || unmasked),
    isShownOnce: isMade && invite.data.link !== null,
  });

  if (isMade) {
    const { link } = invite.data;
    return (
      <Stack>
        <Text size="sm" role="alert">
          {link === null ? t('members.mailed', { email }) : t('members.sendLink', { email })}
        </Text>
        {link !== null && <CodeBlock code={link} isResult />}
        <Group justify="flex-end">
          <Button onClick={() => dialog.closeDone()}>{common('actions.close')}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate();
      }}
    >
      <Stack>
        <ProblemAlert error={invite.error} />
        <TextInput
          label={t('members.email')}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          maxLength={254}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Radio.Group label={t('members.role')} value={role} onChange={setRole}>
          <Stack gap="xs" mt="xs">
            {roles.map((name) => (
              <Radio
                key={name}
                value={name}
                label={t(`members.roles.${name}`)}
                description={t(`members.explained.${name}`)}
                disabled={name === 'owner' && !isOwner}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Checkbox
          label={t('members.unmasked')}
          description={isOwner ? t('members.unmaskedText') : t('members.onlyOwners')}
          checked={unmasked}
          onChange={(event) => setUnmasked(event.currentTarget.checked)}
          disabled={!isOwner}
        />
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button type="submit" loading={invite.isPending} disabled={email.trim() === ''}>
            {t('members.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
