import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /audiences/segments/$audienceId. */
export function SegmentPage(): ReactNode {
  const t = useTexts('audiences');
  return <PlaceholderPage title={t('title')} />;
}
