import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /attributes/$attributeId. */
export function AttributePage(): ReactNode {
  const t = useTexts('attributes');
  return <PlaceholderPage title={t('title')} />;
}
