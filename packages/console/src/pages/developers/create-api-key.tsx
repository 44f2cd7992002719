import { apiKeyScopes, type Scope } from './scopes.ts';
import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton, Dialog } from '#components/actions/dialog.tsx';
import { dayEnd } from '#components/values/day-bounds.ts';
import { browserTimeZone } from '#components/values/format.ts';
import { useTimeZone } from '#components/values/time-zone.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';

const usual: readonly Scope[] = ['contacts:read', 'contacts:write', 'attributes:read'];

/** Creates an API key, and shows it once. */
export function CreateApiKey({
  isOpen,
  onClose,
  listKey,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly listKey: readonly unknown[];
}): ReactNode {
  const t = useTexts('developers');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} size="lg" title={t('apiKeys.create')}>
      {/* A new form for each opening, so that the last key is forgotten. */}
      {isOpen && <CreateForm listKey={listKey} />}
    </Dialog>
  );
}

function CreateForm({ listKey }: { readonly listKey: readonly unknown[] }): ReactNode {
  const t = useTexts('developers');
  const common = useTexts('common');
  const { account } = useAccount();
  const timeZone = useTimeZone();
  const cache = useQueryClient();
  const [scopes, setScopes] = useState<readonly string[]>(usual);
  /** Whether a text field was changed. */
  const [isTyped, setTyped] = useState(false);
  const creation = useMutation({
    mutationFn: (form: FormData) => {
      const expires = form.get('expires') as string;
      return account.apiKeys.create({
        name: form.get('name') as string,
        scopes: scopes as Scope[],
        ...(expires === '' ? {} : { expires_at: dayEnd(expires, timeZone) }),
      });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: listKey }),
  });

  const isMade = creation.data !== undefined;
  const dialog = useDialog({
    isRunning: creation.isPending,
    hasEntries: !isMade && (isTyped || scopes !== usual),
    isShownOnce: isMade,
  });

  if (creation.data !== undefined) {
    return (
      <Stack>
        <Alert color="green" title={t('apiKeys.createdTitle')}>
          {t('apiKeys.createdText')}
        </Alert>
        <CodeBlock code={creation.data.api_key} isResult />
        <Group justify="flex-end">
          <Button onClick={() => dialog.closeDone()}>{common('actions.close')}</Button>
        </Group>
      </Stack>
    );
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    creation.mutate(new FormData(event.currentTarget));
  }

  return (
    <form onSubmit={submit} onInput={() => setTyped(true)}>
      <Stack>
        <TextInput
          name="name"
          label={t('apiKeys.name')}
          description={t('apiKeys.nameText')}
          required
          maxLength={255}
          data-autofocus
        />
        <Checkbox.Group
          label={t('apiKeys.scopes')}
          description={t('apiKeys.scopesText')}
          value={[...scopes]}
          onChange={setScopes}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs">
            {apiKeyScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <TextInput
          name="expires"
          type="date"
          label={t('apiKeys.expires')}
          description={t('apiKeys.expiresText', { zone: timeZone ?? browserTimeZone() })}
        />
        <ProblemAlert error={creation.error} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {scopes.length === 0 && t('apiKeys.noScope')}
          </Text>
          <Group gap="xs">
            <CancelButton />
            <Button type="submit" loading={creation.isPending} disabled={scopes.length === 0}>
              {t('apiKeys.create')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
