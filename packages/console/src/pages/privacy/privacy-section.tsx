import type { ReactNode } from 'react';
import { SectionHeader, type SectionPageProps } from '#components/layout/section-header.tsx';
import type { SectionEntry } from '#components/layout/section-nav.tsx';
import { useSectionPages } from '#shell/account/use-section-pages.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Returns the pages about privacy. */
export function usePrivacyPages(): readonly SectionEntry[] {
  return useSectionPages('privacy');
}

/** The title of a page about privacy, and the links to the others. */
export function PrivacyHeader(props: SectionPageProps): ReactNode {
  const t = useTexts('privacy');
  return <SectionHeader label={t('title')} entries={usePrivacyPages()} {...props} />;
}
