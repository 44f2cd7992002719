import { Alert, Button, Group, Paper, PasswordInput, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { CopyButton } from '#components/actions/copy-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DevelopersHeader } from './section/developers-section.tsx';

/** How a receiver checks a callback. */
const check = `import { createHmac, timingSafeEqual } from 'node:crypto';

// header: the value of X-Roster-Signature, such as "t=1735689600,v1=5257a8…"
function isFromRoster(secret, header, body) {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1];
  const expected = createHmac('sha256', secret).update(\`\${time}.\${body}\`).digest('hex');
  return parts.some(([name, value]) => name === 'v1' && value.length === expected.length
    && timingSafeEqual(Buffer.from(value), Buffer.from(expected)));
}`;

/** The secret that signs callbacks, and its rotation. */
export function SigningSecretPage(): ReactNode {
  const t = useTexts('developers');
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const key = ['accounts', accountId, 'signing-secret'];
  const secret = useQuery({ queryKey: key, queryFn: ({ signal }) => account.signingSecret.get({ signal }) });
  return (
    <Page>
      <DevelopersHeader title={t('signingSecret.title')} text={t('signingSecret.text')}>
        <ApiCallButton call={{ operation: 'getSigningSecret', path: { account_id: accountId } }} />
        {can('callbacks:write') && (
          <Button variant="default" leftSection={<RefreshCw size={14} aria-hidden />} onClick={() => setAsking(true)}>
            {t('signingSecret.rotate')}
          </Button>
        )}
      </DevelopersHeader>
      <QueryState query={secret}>
        {(found) => (
          <Stack maw={760}>
            <Paper withBorder p="md">
              <Stack gap="sm">
                <Secret label={t('signingSecret.current')} value={found.secret} />
                <Text size="sm" c="dimmed">
                  {t('signingSecret.since')} <DateTime value={found.created_at} />
                </Text>
              </Stack>
            </Paper>
            {found.previous !== null && (
              <Alert color="blue" title={t('signingSecret.previousTitle')}>
                <Stack gap="sm">
                  <Text size="sm">
                    {t('signingSecret.previousText')} <DateTime value={found.previous.expires_at} />
                  </Text>
                  <Secret label={t('signingSecret.previous')} value={found.previous.secret} />
                </Stack>
              </Alert>
            )}
            <Text size="sm">{t('signingSecret.how')}</Text>
            <CodeBlock code={check} />
          </Stack>
        )}
      </QueryState>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('signingSecret.rotateTitle')}
        action={t('signingSecret.rotate')}
        onConfirm={async () => {
          cache.setQueryData(key, await account.signingSecret.rotate());
        }}
      >
        {t('signingSecret.rotateText')}
      </ConfirmDialog>
    </Page>
  );
}

function Secret({ label, value }: { readonly label: string; readonly value: string }): ReactNode {
  const t = useTexts('developers');
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <PasswordInput
        label={label}
        value={value}
        readOnly
        flex={1}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('signingSecret.show'), tabIndex: 0, 'aria-hidden': false }}
      />
      <CopyButton value={value} />
    </Group>
  );
}
