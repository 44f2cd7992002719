import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /activity. */
export function ActivityPage(): ReactNode {
  const t = useTexts('activity');
  return <PlaceholderPage title={t('title')} />;
}
