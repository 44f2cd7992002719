import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './account-switcher.module.css';
import { useAccountDetail } from '../account/use-account-detail.ts';
import { useAccountIfAny, usePerson } from '../account/use-account.ts';

/** Shows the account of the page, and goes to another one. */
export function AccountSwitcher(): ReactNode {
  const t = useTexts('shell');
  const navigate = useNavigate();
  const person = usePerson();
  const current = useAccountIfAny();
  const [isOpen, setOpen] = useState(false);
  const { data: detail } = useAccountDetail();
  // Administrators of the installation also see accounts in which they have no role.
  const all = useQuery({
    queryKey: ['accounts', 'all'],
    queryFn:
      person?.is_installation_admin === true ? ({ signal }) => client.accounts.list({ signal }).take(500) : skipToken,
    enabled: isOpen,
    staleTime: 60_000,
  });
  if (person === null) return null;
  const accounts = all.data ?? person.accounts;
  const own = accounts.find(({ account_id }) => account_id === current?.accountId);
  const name =
    own?.name ??
    detail?.name ??
    (current === undefined ? t('product') : t('accountNumber', { number: current.accountId }));
  return (
    <Menu opened={isOpen} onChange={setOpen} width={260} position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={styles.button}>
          <VisuallyHidden>{t('account')}</VisuallyHidden>
          <Avatar size={24} radius="sm" variant="filled" color="indigo" aria-hidden>
            {name.slice(0, 1).toUpperCase()}
          </Avatar>
          <Text fw={600} size="sm" truncate className={styles.name}>
            {name}
          </Text>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.list}>
        <Menu.Label>{t('account')}</Menu.Label>
        {accounts.map((account) => (
          <Menu.Item
            key={account.account_id}
            onClick={() => void navigate({ to: `/accounts/${account.account_id}` })}
            rightSection={account.account_id === current?.accountId ? <Check size={14} aria-hidden /> : undefined}
          >
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" truncate>
                {account.name}
              </Text>
              <Text size="xs" c="dimmed">
                {account.account_id}
              </Text>
            </Group>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
