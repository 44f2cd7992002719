import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /imports/new. */
export function NewImportPage(): ReactNode {
  const t = useTexts('imports');
  return <PlaceholderPage title={t('title')} />;
}
