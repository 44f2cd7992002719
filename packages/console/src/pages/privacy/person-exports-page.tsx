import { Alert, Button, Group, NumberInput, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { ForbiddenState } from '#components/states/forbidden-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { PrivacyHeader } from './privacy-section.tsx';

/** Exports everything that is known about one person. */
export function PersonExportsPage(): ReactNode {
  const t = useTexts('privacy');
  const { accountId, account, can } = useAccount();
  const [contactId, setContactId] = useState<number | string>('');
  const download = useMutation({
    mutationFn: async (id: number) => {
      const data = await account.contacts.export(id);
      save(`contact-${id}.json`, JSON.stringify(data, null, 2));
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (typeof contactId === 'number') download.mutate(contactId);
  }
  const problemText = useProblemText();
  const problem = download.error === null ? undefined : problemOf(download.error);
  return (
    <Page>
      <PrivacyHeader title={t('personExports.title')} text={t('personExports.text')}>
        <ApiCallButton
          call={{
            operation: 'exportContact',
            path: { account_id: accountId, ...(typeof contactId === 'number' && { contact_id: contactId }) },
          }}
        />
      </PrivacyHeader>
      {can('privacy:write') ? (
        <Paper withBorder p="md" maw={760}>
          <form onSubmit={submit}>
            <Stack gap="sm">
              <Text size="sm">{t('personExports.how')}</Text>
              <Group align="flex-end" gap="xs">
                <NumberInput
                  label={t('personExports.contact')}
                  value={contactId}
                  onChange={setContactId}
                  min={1}
                  allowDecimal={false}
                  hideControls
                  required
                  w={220}
                />
                <Button
                  type="submit"
                  size="sm"
                  leftSection={<Download size={14} aria-hidden />}
                  loading={download.isPending}
                >
                  {t('personExports.download')}
                </Button>
              </Group>
              {problem !== undefined && (
                <Alert color="red" role="alert">
                  {problem.kind === 'notFound' ? t('personExports.unknown') : problemText(download.error)}
                </Alert>
              )}
              <Text size="sm" c="dimmed">
                {t('personExports.logged')}
              </Text>
            </Stack>
          </form>
        </Paper>
      ) : (
        <ForbiddenState />
      )}
    </Page>
  );
}

/** Saves a text as a file of the browser. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
