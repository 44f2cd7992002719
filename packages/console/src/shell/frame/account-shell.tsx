import { ActionIcon, AppShell, Burger, Group, Kbd, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { lazy, useEffect, useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { useSessionEnded } from '#api/session-end.ts';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import { TimeZone } from '#components/values/time-zone.tsx';
import { changeLanguage, currentLanguage } from '#texts/load-texts.ts';
import { useTexts } from '#texts/use-texts.ts';
import { AccountSwitcher } from './account-switcher.tsx';
import { forgetAccount, rememberAccount } from '../account/last-account.ts';
import styles from './account-shell.module.css';
import { useAccountDetail } from '../account/use-account-detail.ts';
import { useAccountIfAny, usePerson } from '../account/use-account.ts';
import { holdKeys, releaseKeys } from '../palette/held-keys.ts';
import { PageMenu } from './page-menu.tsx';
import { UserMenu } from './user-menu.tsx';
import { WhenIdle } from './when-idle.tsx';

const loadPalette = () => import('../palette/palette.tsx');
const ProgressTray = lazy(async () => ({
  default: (await import('../tray/progress-tray.tsx')).ProgressTray,
}));
const SessionEndDialog = lazy(async () => ({
  default: (await import('../account/session-end-dialog.tsx')).SessionEndDialog,
}));
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));

/** The frame around all pages for people who are signed in. */
export function AccountShell(): ReactNode {
  const t = useTexts('shell');
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  const hasSessionEnded = useSessionEnded();
  const timeZone = useTimeZone();
  const hasAccount = useAccountIfAny() !== undefined;
  const language = usePerson()?.language ?? null;
  useEffect(() => {
    if (language !== null && language !== currentLanguage()) void changeLanguage(language);
  }, [language]);
  const [hasPalette, setHasPalette] = useState(false);
  const openPalette = (): void => {
    setHasPalette(true);
    holdKeys();
    void loadPalette().then((module) => module.openPalette(), releaseKeys);
  };
  // Also in fields.
  useHotkeys([['mod+K', openPalette]], []);
  return (
    <AppShell
      header={{ height: 48, collapsed: false, offset: true }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      layout="alt"
      classNames={{ navbar: styles.navbar, header: styles.header, main: styles.main }}
      transitionDuration={0}
    >
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Text fw={600} hiddenFrom="sm">
              {t('product')}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <UnstyledButton className={styles.search} onClick={openPalette} visibleFrom="sm">
              <Search size={14} aria-hidden />
              <span>{t('search')}</span>
              <Kbd size="xs">{shortcut}</Kbd>
            </UnstyledButton>
            <ActionIcon variant="subtle" color="gray" hiddenFrom="sm" aria-label={t('search')} onClick={openPalette}>
              <Search size={18} />
            </ActionIcon>
            {hasAccount && (
              <SeparatePart failure={null}>
                <ProgressTray />
              </SeparatePart>
            )}
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('menu')} data-closed={!isOpen || undefined}>
        <Group justify="space-between" wrap="nowrap" mb="xs">
          <AccountSwitcher />
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
        </Group>
        <PageMenu />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <TimeZone value={timeZone}>
          <Outlet />
        </TimeZone>
      </AppShell.Main>
      {hasSessionEnded && (
        <SeparatePart failure={null}>
          <SessionEndDialog />
        </SeparatePart>
      )}
      {hasPalette ? (
        <SeparatePart failure={null}>
          <Palette />
        </SeparatePart>
      ) : (
        // So that it opens at once.
        <WhenIdle onIdle={() => setHasPalette(true)} />
      )}
    </AppShell>
  );
}

const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

/** Returns the time zone of the account in the address, and remembers this account. */
function useTimeZone(): string | undefined {
  const { accountId } = useParams({ strict: false });
  const current = useAccountIfAny();
  const { data, error } = useAccountDetail();
  const isThere = data !== undefined;
  const isGone = error !== null && problemOf(error).kind === 'notFound';
  useEffect(() => {
    if (isThere && accountId !== undefined) rememberAccount(accountId);
    // The next page outside of accounts must not show the menu of an account that was deleted.
    if (isGone && current !== undefined) forgetAccount(current.accountId);
  }, [isThere, isGone, accountId, current]);
  return accountId === undefined ? undefined : data?.time_zone;
}
