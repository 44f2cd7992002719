import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /developers/api-reference. */
export function ApiReferencePage(): ReactNode {
  const t = useTexts('developers');
  return <PlaceholderPage title={t('title')} />;
}
