import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { client } from '#api/client.ts';
import { ButtonLink, TextLink } from '#components/actions/links.tsx';
import { MessageState } from '#components/states/message-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { usePerson } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Accounts on the page. The account switcher shows all. */
const mostAccounts = 20;

/** Shown to a person who belongs to no account. An installation administrator can go on from here. */
export function NoAccounts(): ReactNode {
  const t = useTexts('shell');
  if (usePerson()?.is_installation_admin === true) return <AllAccounts />;
  return <MessageState icon={Building2} title={t('noAccounts.title')} text={t('noAccounts.text')} order={1} />;
}

function AllAccounts(): ReactNode {
  const t = useTexts('shell');
  const accounts = useQuery({
    queryKey: ['accounts', 'first'],
    queryFn: ({ signal }) => client.accounts.list({ signal }).take(mostAccounts),
  });
  return (
    <QueryState query={accounts}>
      {(found) => (
        <MessageState
          icon={Building2}
          title={t('noAccounts.adminTitle')}
          text={found.length === 0 ? t('noAccounts.adminEmpty') : t('noAccounts.adminText')}
          order={1}
        >
          <Stack gap={4} align="center">
            {found.map(({ account_id: accountId, name }) => (
              <TextLink key={accountId} to="/accounts/$accountId" params={{ accountId }} size="sm">
                {name} ({accountId})
              </TextLink>
            ))}
          </Stack>
          <Group justify="center">
            <ButtonLink to="/users" size="sm" variant="default">
              {t('users')}
            </ButtonLink>
          </Group>
        </MessageState>
      )}
    </QueryState>
  );
}
