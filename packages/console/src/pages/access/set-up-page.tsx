import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '#api/client.ts';
import { sessionQuery } from '#api/session.ts';
import { QueryState } from '#components/states/query-state.tsx';
import { AccessLayout } from '#shell/frame/access-layout.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { EmailField, NameField, PasswordField } from './access-fields.tsx';
import { AccessForm, textOf } from './access-form.tsx';
import { useLinkToken } from './link-token.ts';

/** The page of the link that the service prints at its first start: it creates the owner. */
export function SetUpPage(): ReactNode {
  const t = useTexts('access');
  const session = useQuery(sessionQuery);
  const token = useLinkToken();
  return (
    <QueryState query={session}>
      {({ needs_set_up }) => {
        if (!needs_set_up) {
          return (
            <AccessLayout title={t('setUp.done.title')} text={t('setUp.done.text')}>
              <Button component={Link} to="/" size="sm">
                {t('signIn.submit')}
              </Button>
            </AccessLayout>
          );
        }
        if (token === '') {
          return <AccessLayout title={t('setUp.noLink.title')} text={t('setUp.noLink.text')} />;
        }
        return <OwnerForm token={token} />;
      }}
    </QueryState>
  );
}

function OwnerForm({ token }: { readonly token: string }): ReactNode {
  const t = useTexts('access');
  const navigate = useNavigate();
  const cache = useQueryClient();

  async function create(values: FormData): Promise<void> {
    const session = await client.signIn.setUp({
      token,
      name: textOf(values, 'name'),
      email: textOf(values, 'email'),
      password: textOf(values, 'password'),
    });
    cache.setQueryData(sessionQuery.queryKey, session);
    await navigate({ to: '/', replace: true });
  }

  return (
    <AccessLayout title={t('setUp.title')} text={t('setUp.text')}>
      <AccessForm submit={t('setUp.submit')} onSubmit={create} messages={{ notFound: t('setUp.invalid') }}>
        <NameField />
        <EmailField />
        <PasswordField isNew />
      </AccessForm>
    </AccessLayout>
  );
}
