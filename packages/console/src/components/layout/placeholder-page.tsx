import { Construction } from 'lucide-react';
import type { ReactNode } from 'react';
import { MessageState } from '#components/states/message-state.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { Page } from './page.tsx';
import { PageHeader } from './page-header.tsx';

/** Shown for a page that is not built yet. */
export function PlaceholderPage({ title }: { readonly title: string }): ReactNode {
  const t = useTexts('shell');
  return (
    <Page>
      <PageHeader title={title} />
      <MessageState icon={Construction} title={t('placeholder.title')} text={t('placeholder.text')} />
    </Page>
  );
}
