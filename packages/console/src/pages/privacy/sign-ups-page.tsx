import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /privacy/sign-ups. */
export function SignUpsPage(): ReactNode {
  const t = useTexts('privacy');
  return <PlaceholderPage title={t('title')} />;
}
