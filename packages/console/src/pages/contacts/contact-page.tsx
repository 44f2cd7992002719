import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /contacts/$contactId. */
export function ContactPage(): ReactNode {
  const t = useTexts('contacts');
  return <PlaceholderPage title={t('title')} />;
}
