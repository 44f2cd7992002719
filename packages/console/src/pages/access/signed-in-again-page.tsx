import type { ReactNode } from 'react';
import { ButtonLink } from '#components/actions/links.tsx';
import { AccessLayout } from '#shell/frame/access-layout.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** Shown after the sign-in in a new tab, while the person's work waits in the former one. */
export function SignedInAgainPage(): ReactNode {
  const t = useTexts('access');
  return (
    <AccessLayout title={t('signedInAgain.title')} text={t('signedInAgain.text')}>
      <ButtonLink to="/" variant="default" size="sm">
        {t('signedInAgain.home')}
      </ButtonLink>
    </AccessLayout>
  );
}
