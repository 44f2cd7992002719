import type { ReactNode } from 'react';
import { SectionHeader, type SectionPageProps } from '#components/layout/section-header.tsx';
import type { SectionEntry } from '#components/layout/section-nav.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Returns the pages about privacy. */
export function usePrivacyPages(): readonly SectionEntry[] {
  const t = useTexts('privacy');
  const { accountId, can } = useAccount();
  const base = `/accounts/${accountId}/privacy`;
  const isVisible = can('privacy:read');
  return [
    { to: `${base}/erasures`, label: t('pages.erasures'), isVisible },
    { to: `${base}/forgotten`, label: t('pages.forgotten'), isVisible },
    { to: `${base}/person-exports`, label: t('pages.personExports'), isVisible },
    { to: `${base}/retention`, label: t('pages.retention'), isVisible: isVisible || can('account:read') },
    { to: `${base}/sign-ups`, label: t('pages.signUps'), isVisible },
  ];
}

/** The title of a page about privacy, and the links to the others. */
export function PrivacyHeader(props: SectionPageProps): ReactNode {
  const t = useTexts('privacy');
  return <SectionHeader label={t('title')} entries={usePrivacyPages()} {...props} />;
}
