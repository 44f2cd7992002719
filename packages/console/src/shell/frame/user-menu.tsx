import {
  ActionIcon,
  Avatar,
  Menu,
  Text,
  VisuallyHidden,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Check, LogOut, Monitor, Moon, Sun, UserRound, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { client } from '#api/client.ts';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery, signOut } from '#api/session.ts';
import { changeLanguage, currentLanguage, languages, type Language } from '#texts/load-texts.ts';
import { useTexts } from '#texts/use-texts.ts';
import { usePerson } from '../account/use-account.ts';

const schemes = [
  { name: 'light', icon: Sun },
  { name: 'dark', icon: Moon },
  { name: 'auto', icon: Monitor },
] as const satisfies readonly { name: MantineColorScheme; icon: unknown }[];

/** Changes the language of the console, and remembers it for the person. */
async function chooseLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  const person = await client.me.update({ language });
  queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, person });
}

/** The menu of the person: profile, appearance, language, sign out. */
export function UserMenu(): ReactNode {
  const t = useTexts('shell');
  const navigate = useNavigate();
  const person = usePerson();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  if (person === null) return null;
  return (
    <Menu width={240} position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" radius="xl" size={32}>
          <Avatar size={28} radius="xl" color="indigo" name={person.name} aria-hidden />
          <VisuallyHidden>{person.name}</VisuallyHidden>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {person.name}
          </Text>
          <Text size="xs" truncate>
            {person.email}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<UserRound size={14} />} onClick={() => void navigate({ to: '/profile' })}>
          {t('profile')}
        </Menu.Item>
        {person.is_installation_admin && (
          <Menu.Item leftSection={<UsersRound size={14} />} onClick={() => void navigate({ to: '/users' })}>
            {t('users')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<BookOpen size={14} />} component="a" href="/docs" target="_blank">
          {t('documentation')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('scheme.label')}</Menu.Label>
        {schemes.map(({ name, icon: Icon }) => (
          <Menu.Item
            key={name}
            leftSection={<Icon size={14} />}
            rightSection={colorScheme === name ? <Check size={14} /> : undefined}
            onClick={() => setColorScheme(name)}
            closeMenuOnClick={false}
          >
            {t(`scheme.${name}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={currentLanguage() === language ? <Check size={14} /> : undefined}
            onClick={() => void chooseLanguage(language)}
            closeMenuOnClick={false}
          >
            {languages[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={14} />} onClick={() => void signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
