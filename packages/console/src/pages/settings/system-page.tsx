import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /settings/system. */
export function SystemPage(): ReactNode {
  const t = useTexts('settings');
  return <PlaceholderPage title={t('title')} />;
}
