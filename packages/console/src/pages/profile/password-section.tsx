import type { SignedInPerson } from '@roster/client';
import { Alert, Button, Group, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { useConfirmed } from '#shell/account/confirmation.tsx';
import { Section } from './section.tsx';

const minimum = 10;

/** A new password. */
export function PasswordSection({ person }: { readonly person: SignedInPerson }): ReactNode {
  const t = useTexts('profile');
  const cache = useQueryClient();
  const confirmed = useConfirmed();
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => confirmed(() => client.me.changePassword(password)),
    onSuccess: async () => {
      setPassword('');
      await cache.invalidateQueries();
    },
  });

  return (
    <Section title={t('password.title')} text={person.has_password ? t('password.text') : t('password.none')}>
      <ProblemAlert error={change.error} />
      {change.isSuccess && (
        <Alert color="indigo" role="status">
          {t('password.changed')}
        </Alert>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <input type="text" name="username" value={person.email} autoComplete="username" readOnly hidden />
        <Group align="flex-end" gap="xs">
          <PasswordInput
            label={t('password.new')}
            description={t('password.hint', { minimum })}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="new-password"
            minLength={minimum}
            visibilityToggleButtonProps={{ 'aria-label': t('password.show'), tabIndex: 0 }}
            flex="1 1 14rem"
          />
          <Button type="submit" variant="default" loading={change.isPending} disabled={password.length < minimum}>
            {t('password.submit')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}
