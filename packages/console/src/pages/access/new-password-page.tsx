import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { sessionQuery } from '#api/session.ts';
import { AccessLayout } from '#shell/frame/access-layout.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { PasswordField } from './access-fields.tsx';
import { AccessForm, textOf } from './access-form.tsx';
import { useLinkToken } from './link-token.ts';

/** The page of the link for a new password. */
export function NewPasswordPage(): ReactNode {
  const t = useTexts('access');
  const cache = useQueryClient();
  const token = useLinkToken();
  const [usedToken, setUsedToken] = useState<string | undefined>(undefined);
  const signIn = (
    <Button component={Link} to="/sign-in" size="sm">
      {t('signIn.submit')}
    </Button>
  );
  if (token !== '' && token === usedToken) {
    return (
      <AccessLayout title={t('reset.changedTitle')} text={t('reset.changed')}>
        {signIn}
      </AccessLayout>
    );
  }
  if (token === '') return <AccessLayout title={t('noToken.title')} text={t('noToken.text')} />;

  async function save(values: FormData): Promise<void> {
    await client.signIn.completePasswordReset({ token, password: textOf(values, 'password') });
    // All sessions of the person have ended.
    cache.removeQueries({ queryKey: sessionQuery.queryKey });
    setUsedToken(token);
  }

  return (
    <AccessLayout title={t('reset.newTitle')} text={t('reset.newText')}>
      <AccessForm submit={t('reset.newSubmit')} onSubmit={save} messages={{ notFound: t('reset.invalid') }}>
        <PasswordField isNew label={t('fields.newPassword')} />
      </AccessForm>
    </AccessLayout>
  );
}
