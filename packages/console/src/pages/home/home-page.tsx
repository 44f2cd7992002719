import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /. */
export function HomePage(): ReactNode {
  const t = useTexts('home');
  return <PlaceholderPage title={t('title')} />;
}
