import type { PersonalToken, SignedInPerson } from '@roster/client';
import { Button, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useState, type ReactNode } from 'react';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import { client } from '#api/client.ts';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { CopyText } from '#components/actions/copy-text.tsx';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { useConfirmed } from '#shell/account/confirmation.tsx';
import { Section } from './section.tsx';
import { ShownOnce } from './shown-once.tsx';

// Most people belong to one account, and have nothing to choose.
const TokenAccounts = lazy(async () => ({ default: (await import('./token-accounts.tsx')).TokenAccounts }));

const queryKey = ['me', 'tokens'];
const day = 24 * 60 * 60 * 1000;
const lifetimes = ['30', '90', '365', 'never'] as const;

/** The personal access tokens of the person. */
export function TokensSection({ person }: { readonly person: SignedInPerson }): ReactNode {
  const t = useTexts('profile');
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.me.tokens.list({ limit: 500, signal }).all(),
  });
  return (
    <Section
      title={t('tokens.title')}
      text={t('tokens.text')}
      actions={<ApiCallButton call={{ operation: 'listPersonalTokens' }} />}
    >
      <NewToken person={person} />
      <QueryState query={query}>
        {(found) => (found.length === 0 ? null : <TokenTable tokens={found} person={person} />)}
      </QueryState>
    </Section>
  );
}

function NewToken({ person }: { readonly person: SignedInPerson }): ReactNode {
  const t = useTexts('profile');
  const confirmed = useConfirmed();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<string>('90');
  const [accounts, setAccounts] = useState<string[]>([]);
  const create = useMutation({
    mutationFn: () =>
      confirmed(() =>
        client.me.tokens.create({
          name,
          expires_at: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * day).toISOString(),
          account_ids: accounts.length === 0 ? null : accounts.map(Number),
        }),
      ),
    async onSuccess() {
      setName('');
      await cache.invalidateQueries({ queryKey });
    },
  });
  return (
    <Stack gap="sm">
      <ProblemAlert error={create.error} />
      {create.data !== undefined && (
        <ShownOnce title={t('tokens.made')} onClose={() => create.reset()}>
          <Text size="sm">{t('tokens.once')}</Text>
          <CopyText value={create.data.token} />
        </ShownOnce>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('tokens.name')}
            placeholder={t('tokens.example')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={255}
            required
            withAsterisk={false}
            flex="2 1 12rem"
          />
          <NativeSelect
            label={t('tokens.expires')}
            data={lifetimes.map((value) => ({ value, label: t(`tokens.lifetimes.${value}`) }))}
            value={lifetime}
            onChange={(event) => setLifetime(event.currentTarget.value)}
            flex="1 1 8rem"
          />
          {person.accounts.length > 1 && (
            <SeparatePart>
              <TokenAccounts person={person} value={accounts} onChange={setAccounts} />
            </SeparatePart>
          )}
          <Button type="submit" variant="default" loading={create.isPending} disabled={name.trim() === ''}>
            {t('tokens.create')}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

function TokenTable({
  tokens,
  person,
}: {
  readonly tokens: readonly PersonalToken[];
  readonly person: SignedInPerson;
}): ReactNode {
  const t = useTexts('profile');
  const cache = useQueryClient();
  const [deleted, setDeleted] = useState<PersonalToken>();
  const nameOf = (id: number): string => person.accounts.find(({ account_id: own }) => own === id)?.name ?? String(id);

  async function remove(): Promise<void> {
    await client.me.tokens.delete(deleted!.token_id);
    await cache.invalidateQueries({ queryKey });
  }

  return (
    <>
      <ShortTable
        aria-label={t('tokens.title')}
        minWidth={560}
        heads={[t('tokens.name'), t('tokens.status'), t('tokens.expires'), t('lastUsed')]}
        actions={t('actions')}
      >
        {tokens.map((token) => (
          <Table.Tr key={token.token_id}>
            <Table.Td>
              <Text size="sm">{token.name}</Text>
              <Text size="xs" c="dimmed">
                {`${token.token_hint}… · ${token.account_ids?.map(nameOf).join(', ') ?? t('tokens.allAccounts')}`}
              </Text>
            </Table.Td>
            <Table.Td>
              <StatusBadge status={token.status} />
            </Table.Td>
            <Table.Td>{token.expires_at === null ? t('never') : <DateTime value={token.expires_at} />}</Table.Td>
            <Table.Td>
              <DateTime value={token.last_used_at} ago />
            </Table.Td>
            <Table.Td ta="right">
              <Button variant="subtle" size="compact-sm" color="red" onClick={() => setDeleted(token)}>
                {t('tokens.delete')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </ShortTable>
      <ConfirmDialog
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={t('tokens.deleteTitle', { name: deleted?.name ?? '' })}
        action={t('tokens.delete')}
        onConfirm={remove}
      >
        {t('tokens.deleteText')}
      </ConfirmDialog>
    </>
  );
}
