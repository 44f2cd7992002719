import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /exports/schedules. */
export function ExportSchedulesPage(): ReactNode {
  const t = useTexts('exports');
  return <PlaceholderPage title={t('title')} />;
}
