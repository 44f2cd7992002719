import { Building2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { MessageState } from '#components/states/message-state.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** Shown to a person who belongs to no account. */
export function NoAccounts(): ReactNode {
  const t = useTexts('shell');
  return <MessageState icon={Building2} title={t('noAccounts.title')} text={t('noAccounts.text')} order={1} />;
}
