import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '#api/session.ts';
import { SectionHeader, type SectionPageProps } from '#components/layout/section-header.tsx';
import type { SectionEntry } from '#components/layout/section-nav.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Returns the pages of the settings. */
export function useSettingsPages(): readonly SectionEntry[] {
  const t = useTexts('settings');
  const { accountId, can } = useAccount();
  const isAdmin = useQuery(sessionQuery).data?.person?.is_installation_admin === true;
  const base = `/accounts/${accountId}/settings`;
  return [
    { to: `${base}/account`, label: t('pages.account'), isVisible: can('account:read') },
    { to: `${base}/members`, label: t('pages.members'), isVisible: can('members:read') },
    { to: `${base}/audit-log`, label: t('pages.auditLog'), isVisible: can('audit-log:read') },
    { to: `${base}/single-sign-on`, label: t('pages.singleSignOn'), isVisible: isAdmin },
    { to: `${base}/system`, label: t('pages.system'), isVisible: isAdmin },
  ];
}

/** The title of a page of the settings, and the links to the others. */
export function SettingsHeader(props: SectionPageProps): ReactNode {
  const t = useTexts('settings');
  return <SectionHeader label={t('title')} entries={useSettingsPages()} {...props} />;
}
