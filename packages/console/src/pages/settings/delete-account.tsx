import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { forgetAccount } from '#shell/account/last-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Deletes the account, after the person has typed its name. */
export function DeleteAccount({ accountId, name }: { readonly accountId: number; readonly name: string }): ReactNode {
  const t = useTexts('settings');
  const [isAsking, setAsking] = useState(false);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} flex={1} miw={240}>
          <Title order={2} size="h5">
            {t('delete.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('delete.text')}
          </Text>
        </Stack>
        <Button color="red" variant="outline" onClick={() => setAsking(true)}>
          {t('delete.action')}
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('delete.question', { name })}
        action={t('delete.action')}
        word={name}
        onConfirm={async () => {
          await client.accounts.delete(accountId, name);
          forgetAccount(accountId);
          // A full load, so that nothing of the account stays in the page.
          location.assign('/console/');
        }}
      >
        {t('delete.warning')}
      </ConfirmDialog>
    </Paper>
  );
}
