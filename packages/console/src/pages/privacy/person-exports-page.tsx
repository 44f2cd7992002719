import { Alert, Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { FoundContact } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { downloadPerson } from '#api/download-person.ts';
import { FoundLine, QuickFind } from '#components/contacts/quick-find.tsx';
import { Page } from '#components/layout/page.tsx';
import { ForbiddenState } from '#components/states/forbidden-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { PrivacyHeader } from './privacy-section.tsx';

/** Exports everything that is known about one person. */
export function PersonExportsPage(): ReactNode {
  const t = useTexts('privacy');
  const access = useAccount();
  const { accountId, account, can } = access;
  const [contact, setContact] = useState<FoundContact>();
  const download = useMutation({
    mutationFn: (id: number) => downloadPerson(account, id),
  });
  const problemText = useProblemText();
  const problem = download.error === null ? undefined : problemOf(download.error);
  return (
    <Page>
      <PrivacyHeader title={t('personExports.title')} text={t('personExports.text')}>
        <ApiCallButton
          call={{
            operation: 'exportContact',
            path: { account_id: accountId, ...(contact !== undefined && { contact_id: contact.contact_id }) },
          }}
        />
      </PrivacyHeader>
      {can('privacy:write') ? (
        <Paper withBorder p="md" maw={760}>
          <Stack gap="sm">
            <Text size="sm">{t('personExports.how')}</Text>
            <Group>
              <QuickFind
                access={access}
                onOpen={(_, found) => {
                  setContact(found);
                  download.reset();
                }}
              />
            </Group>
            {contact !== undefined && (
              <Group justify="space-between" wrap="nowrap" component="section" aria-label={t('personExports.contact')}>
                <Box miw={0}>
                  <FoundLine contact={contact} />
                </Box>
                <Button
                  size="sm"
                  flex="none"
                  leftSection={<Download size={14} aria-hidden />}
                  loading={download.isPending}
                  onClick={() => download.mutate(contact.contact_id)}
                >
                  {t('personExports.download')}
                </Button>
              </Group>
            )}
            {problem !== undefined && (
              <Alert color="red" role="alert">
                {problem.kind === 'notFound' ? t('personExports.unknown') : problemText(download.error)}
              </Alert>
            )}
            <Text size="sm" c="dimmed">
              {t('personExports.logged')}
            </Text>
          </Stack>
        </Paper>
      ) : (
        <ForbiddenState />
      )}
    </Page>
  );
}
