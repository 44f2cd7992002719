import { RosterError } from '@roster/client';
import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { createContext, useCallback, useContext, useState, type ReactNode, type SubmitEvent } from 'react';
import { client } from '#api/client.ts';
import { problemOf } from '#api/problem.ts';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton, Dialog } from '#components/actions/dialog.tsx';
import { usePerson } from './use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Does some work. If the service asks who is there, the person confirms it and the work is done again. */
export type Confirmed = <Result>(work: () => Promise<Result>) => Promise<Result>;

const ConfirmedContext = createContext<Confirmed>((work) => work());

/** Returns the function for changes that may need the password again. */
export function useConfirmed(): Confirmed {
  return useContext(ConfirmedContext);
}

/** Somebody waits for the person to confirm. */
interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Asks for the password, or for a code, when a change inside needs it. A page with it loads the texts
 * of the area `profile`, too.
 */
export function ConfirmationProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useTexts('profile');
  const [waiting, setWaiting] = useState<Waiting>();

  const confirmed = useCallback<Confirmed>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!needsConfirmation(error)) throw error;
      await new Promise<void>((resolve, reject) => setWaiting({ resolve, reject: () => reject(error) }));
      return await work();
    }
  }, []);

  function end(way: 'resolve' | 'reject'): void {
    waiting?.[way](undefined);
    setWaiting(undefined);
  }

  return (
    <ConfirmedContext value={confirmed}>
      {children}
      <Dialog isOpen={waiting !== undefined} onClose={() => end('reject')} title={t('confirm.title')}>
        {waiting !== undefined && <ConfirmationForm onDone={() => end('resolve')} />}
      </Dialog>
    </ConfirmedContext>
  );
}

function ConfirmationForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const t = useTexts('profile');
  const common = useTexts('common');
  const person = usePerson();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  useDialog({ isRunning });
  const hasPassword = person?.has_password === true;
  const here = location.pathname.replace(/^\/console/, '') + location.search;

  async function confirm(value: string): Promise<void> {
    setRunning(true);
    try {
      await client.me.confirm(hasPassword ? { password: value } : { code: value });
      onDone();
    } catch (failure) {
      setError(failure);
      setRunning(false);
    }
  }

  if (!hasPassword && person?.has_second_factor !== true) {
    return (
      <Stack>
        <Text size="sm">{t('confirm.signInAgain')}</Text>
        <Button component="a" href={`/console/sign-in?return_to=${encodeURIComponent(here)}`}>
          {t('confirm.signIn')}
        </Button>
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        const value = new FormData(event.currentTarget).get('value');
        void confirm(typeof value === 'string' ? value : '');
      }}
    >
      <Stack>
        <Text size="sm">{t('confirm.text')}</Text>
        {error !== undefined && (
          <Alert color="red" role="alert">
            {problemOf(error).kind === 'busy' ? common('errors.busy.text') : t('confirm.failed')}
          </Alert>
        )}
        {hasPassword ? (
          <PasswordInput
            name="value"
            label={t('password.current')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('password.show'), tabIndex: 0 }}
            required
            withAsterisk={false}
            data-autofocus
          />
        ) : (
          <TextInput name="value" label={t('twoFactor.code')} autoComplete="one-time-code" required data-autofocus />
        )}
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button type="submit" loading={isRunning}>
            {t('confirm.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function needsConfirmation(error: unknown): boolean {
  return error instanceof RosterError && error.faults.some(({ code }) => code === 'confirmation_required');
}
