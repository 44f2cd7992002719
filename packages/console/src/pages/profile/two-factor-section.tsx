import type { AuthenticatorSecret, SignedInPerson } from '@roster/client';
import { Box, Button, Code, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, useState, type ReactNode } from 'react';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import { client } from '#api/client.ts';
import { sessionQuery } from '#api/session.ts';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { CopyButton } from '#components/actions/copy-button.tsx';
import { CopyText } from '#components/actions/copy-text.tsx';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { useConfirmed } from '#shell/account/confirmation.tsx';
import { Section } from './section.tsx';
import { ShownOnce } from './shown-once.tsx';

const QrCode = lazy(async () => ({ default: (await import('qrcode.react')).QRCodeSVG }));

/** The authenticator app: set it up with a QR code, or remove it. */
export function TwoFactorSection({ person }: { readonly person: SignedInPerson }): ReactNode {
  const t = useTexts('profile');
  const confirmed = useConfirmed();
  const cache = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const [isRemoving, setRemoving] = useState(false);
  const start = useMutation({ mutationFn: () => confirmed(() => client.me.authenticator.start()) });
  const refresh = () => cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
  const isOn = person.has_second_factor;

  async function remove(): Promise<void> {
    await confirmed(() => client.me.authenticator.remove());
    setCodes(undefined);
    await refresh();
  }

  return (
    <Section
      title={t('twoFactor.title')}
      text={t('twoFactor.text')}
      badge={<ColourBadge color={isOn ? 'green' : 'gray'}>{isOn ? t('twoFactor.on') : t('twoFactor.off')}</ColourBadge>}
      actions={
        isOn ? (
          <Button variant="default" onClick={() => setRemoving(true)}>
            {t('twoFactor.remove')}
          </Button>
        ) : (
          start.data === undefined && (
            <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
              {t('twoFactor.start')}
            </Button>
          )
        )
      }
    >
      <ProblemAlert error={start.error} />
      {!isOn && start.data !== undefined && (
        <SetUpApp
          secret={start.data}
          onDone={(made) => {
            setCodes(made);
            start.reset();
            void refresh();
          }}
        />
      )}
      {codes !== undefined && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('twoFactor.removeTitle')}
        action={t('twoFactor.remove')}
        onConfirm={remove}
      >
        {t('twoFactor.removeText')}
      </ConfirmDialog>
    </Section>
  );
}

function SetUpApp({
  secret,
  onDone,
}: {
  readonly secret: AuthenticatorSecret;
  readonly onDone: (codes: readonly string[]) => void;
}): ReactNode {
  const t = useTexts('profile');
  const confirmed = useConfirmed();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => confirmed(() => client.me.authenticator.confirm(code)),
    onSuccess: ({ recovery_codes: made }) => onDone(made),
  });
  return (
    <Group align="flex-start" gap="lg">
      {/* Cameras need dark squares on a light ground, in the dark theme, too. */}
      <Box bg="white" p="sm" bdrs="sm">
        <SeparatePart loading={<Skeleton w={160} h={160} />}>
          <QrCode value={secret.uri} size={160} title={t('twoFactor.qr')} />
        </SeparatePart>
      </Box>
      <Stack gap="sm" flex="1 1 16rem">
        <Text size="sm">{t('twoFactor.scan')}</Text>
        <CopyText value={secret.secret} />
        <ProblemAlert error={confirm.error} />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            confirm.mutate();
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              label={t('twoFactor.code')}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={confirm.isPending}>
              {t('twoFactor.submit')}
            </Button>
          </Group>
        </form>
      </Stack>
    </Group>
  );
}

function RecoveryCodes({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('profile');
  return (
    <ShownOnce title={t('twoFactor.codesTitle')} onClose={onClose}>
      <Text size="sm">{t('twoFactor.codesText')}</Text>
      <Group align="flex-start" gap="xs" w="100%">
        <Code block flex="1">
          {codes.join('\n')}
        </Code>
        <CopyButton value={codes.join('\n')} />
      </Group>
    </ShownOnce>
  );
}
