import type { ReactNode } from 'react';
import { SectionHeader, type SectionPageProps } from '#components/layout/section-header.tsx';
import type { SectionEntry } from '#components/layout/section-nav.tsx';
import { useSectionPages } from '#shell/account/use-section-pages.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Returns the pages of the settings. */
export function useSettingsPages(): readonly SectionEntry[] {
  return useSectionPages('settings');
}

/** The title of a page of the settings, and the links to the others. */
export function SettingsHeader(props: SectionPageProps): ReactNode {
  const t = useTexts('settings');
  return <SectionHeader label={t('title')} entries={useSettingsPages()} {...props} />;
}
