import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /imports/$importId. */
export function ImportPage(): ReactNode {
  const t = useTexts('imports');
  return <PlaceholderPage title={t('title')} />;
}
