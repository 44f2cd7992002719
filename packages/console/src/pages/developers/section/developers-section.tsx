import type { ReactNode } from 'react';
import { SectionHeader, type SectionPageProps } from '#components/layout/section-header.tsx';
import type { SectionEntry } from '#components/layout/section-nav.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Returns the pages for developers. */
export function useDeveloperPages(): readonly SectionEntry[] {
  const t = useTexts('developers');
  const { accountId, can } = useAccount();
  const base = `/accounts/${accountId}/developers`;
  return [
    { to: `${base}/requests`, label: t('pages.requests'), isVisible: can('requests:read') },
    { to: `${base}/api-keys`, label: t('pages.apiKeys'), isVisible: can('api-keys:read') },
    { to: `${base}/deliveries`, label: t('pages.deliveries'), isVisible: can('callbacks:read') },
    { to: `${base}/subscriptions`, label: t('pages.subscriptions'), isVisible: can('callbacks:read') },
    { to: `${base}/events`, label: t('pages.feed'), isVisible: can('events:read') },
    { to: `${base}/mails`, label: t('pages.mails'), isVisible: can('mails:read') },
    { to: `${base}/signing-secret`, label: t('pages.signingSecret'), isVisible: can('callbacks:read') },
    { to: `${base}/api-reference`, label: t('pages.apiReference'), isVisible: true },
  ];
}

/** The title of a page for developers, and the links to the others. */
export function DevelopersHeader(props: SectionPageProps): ReactNode {
  const t = useTexts('developers');
  return <SectionHeader label={t('title')} entries={useDeveloperPages()} {...props} />;
}
