import { Navigate } from '@tanstack/react-router';
import { ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { MessageState } from '#components/states/message-state.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { PageHeader } from './page-header.tsx';
import { Page } from './page.tsx';
import type { SectionEntry } from './section-nav.tsx';

/** Goes to the first page of a section that the person may see. */
export function FirstOfSection({
  title,
  entries,
}: {
  readonly title: string;
  readonly entries: readonly SectionEntry[];
}): ReactNode {
  const t = useTexts('common');
  const first = entries.find(({ isVisible }) => isVisible);
  if (first !== undefined) return <Navigate to={first.to} replace />;
  return (
    <Page>
      <PageHeader title={title} />
      <MessageState icon={ShieldX} title={t('errors.forbidden.title')} text={t('errors.forbidden.text')} />
    </Page>
  );
}
