import type { ReactNode } from 'react';
import { AccessLayout } from '#shell/frame/access-layout.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The page /reset-password. */
export function ResetPasswordPage(): ReactNode {
  const t = useTexts('access');
  return (
    <AccessLayout title={t('reset.title')} text={t('reset.noMail')}>
      {null}
    </AccessLayout>
  );
}
