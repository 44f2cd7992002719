import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { LoadingState } from '#components/states/loading-state.tsx';
import { usePerson } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ConfirmationProvider } from '#shell/account/confirmation.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PersonSection } from './person-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TokensSection } from './tokens-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

/** The page /profile: what people do with their own user. */
export function ProfilePage(): ReactNode {
  const t = useTexts('profile');
  const person = usePerson();
  return (
    <Page width="text">
      <PageHeader title={t('title')} text={t('text')} />
      {person === null ? (
        <LoadingState />
      ) : (
        <ConfirmationProvider>
          <Stack gap="lg">
            <PersonSection person={person} />
            <PasswordSection person={person} />
            <TwoFactorSection person={person} />
            <PasskeysSection />
            <SessionsSection />
            <TokensSection person={person} />
          </Stack>
        </ConfirmationProvider>
      )}
    </Page>
  );
}
