import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /developers/deliveries. */
export function DeliveriesPage(): ReactNode {
  const t = useTexts('developers');
  return <PlaceholderPage title={t('title')} />;
}
