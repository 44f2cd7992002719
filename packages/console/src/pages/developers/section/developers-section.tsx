import type { ReactNode } from 'react';
import { SectionHeader, type SectionPageProps } from '#components/layout/section-header.tsx';
import type { SectionEntry } from '#components/layout/section-nav.tsx';
import { useSectionPages } from '#shell/account/use-section-pages.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Returns the pages for developers. */
export function useDeveloperPages(): readonly SectionEntry[] {
  return useSectionPages('developers');
}

/** The title of a page for developers, and the links to the others. */
export function DevelopersHeader(props: SectionPageProps): ReactNode {
  const t = useTexts('developers');
  return <SectionHeader label={t('title')} entries={useDeveloperPages()} {...props} />;
}
