import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /exports/$requestId. */
export function ExportPage(): ReactNode {
  const t = useTexts('exports');
  return <PlaceholderPage title={t('title')} />;
}
