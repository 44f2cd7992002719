import { Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { client } from '#api/client.ts';
import { canUsePasskeys, isAtLoopback } from '#shell/account/passkeys.ts';
import { useTexts } from '#texts/use-texts.ts';
import { FormError } from './access-form.tsx';

/** Signs in with a passkey, or says why the address of the page does not allow it. */
export function PasskeyButton({ onDone }: { readonly onDone: () => Promise<void> }): ReactNode {
  const t = useTexts('access');
  const mutation = useMutation({
    async mutationFn() {
      const [{ startAuthentication }, { options }] = await Promise.all([
        import('@simplewebauthn/browser'),
        client.signIn.passkeyOptions(),
      ]);
      const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
      const response = await startAuthentication({ optionsJSON });
      await client.signIn.withPasskey({ response });
      await onDone();
    },
  });
  if (typeof PublicKeyCredential === 'undefined') return null;
  if (!canUsePasskeys()) return <Unavailable />;
  const failed = t('signIn.passkeyFailed');
  return (
    <>
      {mutation.error !== null && (
        <FormError error={mutation.error} messages={{ signedOut: failed, unexpected: failed }} />
      )}
      <Button
        variant="default"
        size="sm"
        leftSection={<KeyRound size={16} aria-hidden />}
        loading={mutation.isPending}
        onClick={() => mutation.mutate()}
      >
        {t('signIn.passkey')}
      </Button>
    </>
  );
}

function Unavailable(): ReactNode {
  const t = useTexts('access');
  const { protocol, port, pathname, search } = location;
  return (
    <Text size="sm" c="dimmed">
      {t('signIn.noPasskeys')}{' '}
      {isAtLoopback() && (
        <Anchor href={`${protocol}//localhost:${port}${pathname}${search}`} inherit underline="always">
          {t('signIn.atLocalhost')}
        </Anchor>
      )}
    </Text>
  );
}
