import { ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { MessageState } from './message-state.tsx';

/** Says that the role of the person does not allow the page. It looks like a 403 in `ErrorState`. */
export function ForbiddenState(): ReactNode {
  const t = useTexts('common');
  return (
    <MessageState role="alert" icon={ShieldX} title={t('errors.forbidden.title')} text={t('errors.forbidden.text')} />
  );
}
