import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { sessionQuery } from '#api/session.ts';
import { AccessLayout } from '#shell/frame/access-layout.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { EmailField } from './access-fields.tsx';
import { AccessForm, textOf } from './access-form.tsx';

/** Asks for a link for a new password. */
export function ResetPasswordPage(): ReactNode {
  const t = useTexts('access');
  const session = useQuery(sessionQuery).data;
  const [isSent, setSent] = useState(false);
  const back = (
    <Anchor component={Link} to="/sign-in" size="sm">
      {t('secondFactor.back')}
    </Anchor>
  );
  if (isSent) {
    return (
      <AccessLayout title={t('reset.sent.title')} text={t('reset.sent.text')}>
        {back}
      </AccessLayout>
    );
  }
  if (session?.mail === false) {
    return (
      <AccessLayout title={t('reset.title')} text={t('reset.noMail')}>
        {back}
      </AccessLayout>
    );
  }

  async function send(values: FormData): Promise<void> {
    await client.signIn.requestPasswordReset(textOf(values, 'email'));
    setSent(true);
  }

  return (
    <AccessLayout title={t('reset.title')} text={t('reset.text')}>
      <AccessForm submit={t('reset.submit')} onSubmit={send} messages={{}}>
        <EmailField isFirst />
      </AccessForm>
      {back}
    </AccessLayout>
  );
}
