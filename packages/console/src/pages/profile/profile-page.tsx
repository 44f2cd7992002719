import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /profile. */
export function ProfilePage(): ReactNode {
  const t = useTexts('profile');
  return <PlaceholderPage title={t('title')} />;
}
