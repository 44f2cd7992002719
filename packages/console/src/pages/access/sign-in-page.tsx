import { Anchor, Button, Divider, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { sessionQuery } from '#api/session.ts';
import { AccessLayout } from '#shell/frame/access-layout.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { EmailField, PasswordField } from './access-fields.tsx';
import { AccessForm, textOf } from './access-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';

/** The page for signing in. Afterwards, it returns to the page that the person wanted. */
export function SignInPage(): ReactNode {
  const { return_to = '/' } = useSearch({ from: '/sign-in' });
  const [needsCode, setNeedsCode] = useState(false);
  const cache = useQueryClient();
  const router = useRouter();

  async function enter(): Promise<void> {
    await cache.fetchQuery({ ...sessionQuery, staleTime: 0 });
    router.history.replace(router.buildLocation({ to: '/' }).publicHref.replace(/\/?$/, '') + return_to);
  }

  return needsCode ? (
    <CodeStep onDone={enter} onBack={() => setNeedsCode(false)} />
  ) : (
    <PasswordStep onDone={enter} onCode={() => setNeedsCode(true)} returnTo={return_to} />
  );
}

function PasswordStep({
  onDone,
  onCode,
  returnTo,
}: {
  readonly onDone: () => Promise<void>;
  readonly onCode: () => void;
  readonly returnTo: string;
}): ReactNode {
  const t = useTexts('access');
  const session = useQuery(sessionQuery).data;

  async function signIn(values: FormData): Promise<void> {
    const { status } = await client.signIn.withPassword({
      email: textOf(values, 'email'),
      password: textOf(values, 'password'),
    });
    if (status === 'second_factor') onCode();
    else await onDone();
  }

  return (
    <AccessLayout title={t('signIn.title')}>
      <AccessForm submit={t('signIn.submit')} onSubmit={signIn} messages={{ signedOut: t('signIn.failed') }}>
        <EmailField isFirst />
        <PasswordField />
      </AccessForm>
      <Divider label={t('signIn.or')} />
      <Stack gap="sm">
        {session?.single_sign_on != null && (
          <Button
            component="a"
            href={`/admin/v1/single-sign-on/start?return_to=${encodeURIComponent(`/console${returnTo}`)}`}
            variant="default"
            size="sm"
          >
            {t('signIn.singleSignOn', { name: session.single_sign_on.name })}
          </Button>
        )}
        <PasskeyButton onDone={onDone} />
      </Stack>
      <Anchor component={Link} to="/reset-password" size="sm">
        {t('signIn.forgot')}
      </Anchor>
    </AccessLayout>
  );
}

function CodeStep({
  onDone,
  onBack,
}: {
  readonly onDone: () => Promise<void>;
  readonly onBack: () => void;
}): ReactNode {
  const t = useTexts('access');

  async function send(values: FormData): Promise<void> {
    await client.signIn.withCode(textOf(values, 'code'));
    await onDone();
  }

  return (
    <AccessLayout title={t('secondFactor.title')} text={t('secondFactor.text')}>
      <AccessForm
        submit={t('secondFactor.submit')}
        onSubmit={send}
        messages={{ signedOut: t('secondFactor.failed'), notFound: t('secondFactor.expired') }}
      >
        <TextInput
          name="code"
          label={t('fields.code')}
          autoComplete="one-time-code"
          inputMode="text"
          required
          withAsterisk={false}
          autoFocus
        />
      </AccessForm>
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        {t('secondFactor.back')}
      </Anchor>
    </AccessLayout>
  );
}
