import type { Passkey } from '@roster/client';
import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { useConfirmed } from '#shell/account/confirmation.tsx';
import { canUsePasskeys } from '#shell/account/passkeys.ts';
import { Section } from './section.tsx';

const queryKey = ['me', 'passkeys'];

/** The passkeys of the person. */
export function PasskeysSection(): ReactNode {
  const t = useTexts('profile');
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.me.passkeys.list({ limit: 500, signal }).all(),
  });
  return (
    <Section
      title={t('passkeys.title')}
      text={t('passkeys.text')}
      actions={<ApiCallButton call={{ operation: 'listPasskeys' }} />}
    >
      {canUsePasskeys() ? <AddPasskey /> : <Text size="sm">{t('passkeys.unavailable')}</Text>}
      <QueryState query={query}>
        {(found) => (found.length === 0 ? null : <PasskeyTable passkeys={found} />)}
      </QueryState>
    </Section>
  );
}

function AddPasskey(): ReactNode {
  const t = useTexts('profile');
  const confirmed = useConfirmed();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const add = useMutation({
    async mutationFn() {
      const { options } = await confirmed(() => client.me.passkeys.options());
      // Few visits of the page add a passkey.
      const { startRegistration } = await import('@simplewebauthn/browser');
      const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
      const response = await startRegistration({ optionsJSON });
      return client.me.passkeys.add({ name, response });
    },
    async onSuccess() {
      setName('');
      await cache.invalidateQueries({ queryKey });
    },
  });
  // The browser reports that the person closed its dialog.
  const isCancelled = add.error instanceof Error && add.error.name === 'NotAllowedError';
  return (
    <Stack gap="sm">
      {!isCancelled && <ProblemAlert error={add.error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('passkeys.name')}
            placeholder={t('passkeys.example')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={255}
            required
            withAsterisk={false}
            flex="1 1 14rem"
          />
          <Button type="submit" variant="default" loading={add.isPending} disabled={name.trim() === ''}>
            {t('passkeys.add')}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

function PasskeyTable({ passkeys }: { readonly passkeys: readonly Passkey[] }): ReactNode {
  const t = useTexts('profile');
  const confirmed = useConfirmed();
  const cache = useQueryClient();
  const [removed, setRemoved] = useState<Passkey>();

  async function remove(): Promise<void> {
    await confirmed(() => client.me.passkeys.delete(removed!.passkey_id));
    await cache.invalidateQueries({ queryKey });
  }

  return (
    <>
      <ShortTable
        aria-label={t('passkeys.title')}
        minWidth={420}
        heads={[t('passkeys.name'), t('created'), t('lastUsed')]}
        actions={t('actions')}
      >
        {passkeys.map((passkey) => (
          <Table.Tr key={passkey.passkey_id}>
            <Table.Td>{passkey.name}</Table.Td>
            <Table.Td>
              <DateTime value={passkey.created_at} ago />
            </Table.Td>
            <Table.Td>
              <DateTime value={passkey.last_used_at} ago />
            </Table.Td>
            <Table.Td ta="right">
              <Button variant="subtle" size="compact-sm" color="red" onClick={() => setRemoved(passkey)}>
                {t('passkeys.remove')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </ShortTable>
      <ConfirmDialog
        isOpen={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('passkeys.removeTitle', { name: removed?.name ?? '' })}
        action={t('passkeys.remove')}
        onConfirm={remove}
      >
        {t('passkeys.removeText')}
      </ConfirmDialog>
    </>
  );
}
