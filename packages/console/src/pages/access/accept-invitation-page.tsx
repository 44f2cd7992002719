import type { ReactNode } from 'react';
import { AccessLayout } from '#shell/frame/access-layout.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /accept-invitation. */
export function AcceptInvitationPage(): ReactNode {
  const t = useTexts('access');
  return (
    <AccessLayout title={t('invitation.invalid.title')} text={t('invitation.invalid.text')}>
      {null}
    </AccessLayout>
  );
}
