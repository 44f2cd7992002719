import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /attributes. */
export function AttributesPage(): ReactNode {
  const t = useTexts('attributes');
  return <PlaceholderPage title={t('title')} />;
}
