import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /contacts. */
export function ContactsPage(): ReactNode {
  const t = useTexts('contacts');
  return <PlaceholderPage title={t('title')} />;
}
