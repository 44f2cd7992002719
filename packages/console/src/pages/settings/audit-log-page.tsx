import type { ReactNode } from 'react';
import { PlaceholderPage } from '#components/layout/placeholder-page.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /settings/audit-log. */
export function AuditLogPage(): ReactNode {
  const t = useTexts('settings');
  return <PlaceholderPage title={t('title')} />;
}
