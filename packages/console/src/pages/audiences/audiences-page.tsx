import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /audiences. */
export function AudiencesPage(): ReactNode {
  const t = useTexts('audiences');
  return <PlaceholderPage title={t('title')} />;
}
