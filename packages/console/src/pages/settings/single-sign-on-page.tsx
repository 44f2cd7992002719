import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '#api/session.ts';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { CopyText } from '#components/actions/copy-text.tsx';
import { Page } from '#components/layout/page.tsx';
import { ForbiddenState } from '#components/states/forbidden-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { KeyValues } from '#components/values/key-values.tsx';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { SettingsHeader } from './settings-section.tsx';

const example = [
  'ROSTER_PUBLIC_URL=https://roster.example.com',
  'ROSTER_OIDC_ISSUER=https://login.example.com',
  'ROSTER_OIDC_CLIENT_ID=roster',
  'ROSTER_OIDC_CLIENT_SECRET=…',
  'ROSTER_OIDC_NAME="Example login"',
  'ROSTER_OIDC_ROLES=marketing=1:editor,leads=*:admin',
].join('\n');

/** The page /settings/single-sign-on: whether it is on, and how to set it up. */
export function SingleSignOnPage(): ReactNode {
  const t = useTexts('settings');
  const session = useQuery(sessionQuery);
  return (
    <Page>
      <SettingsHeader title={t('singleSignOn.title')} text={t('singleSignOn.text')} />
      <QueryState query={session}>
        {({ single_sign_on: provider, public_url: publicUrl, person }) =>
          person?.is_installation_admin !== true ? (
            <ForbiddenState />
          ) : (
            <Stack gap="lg" maw={760}>
              <KeyValues
                entries={[
                  [
                    t('singleSignOn.state'),
                    <ColourBadge key="state" color={provider === null ? 'gray' : 'green'}>
                      {provider === null ? t('singleSignOn.off') : t('singleSignOn.on')}
                    </ColourBadge>,
                  ],
                  [t('singleSignOn.provider'), provider?.name],
                  [
                    t('singleSignOn.redirect'),
                    publicUrl === null ? (
                      t('singleSignOn.noPublicUrl')
                    ) : (
                      <CopyText key="redirect" value={`${publicUrl}/admin/v1/single-sign-on/callback`} />
                    ),
                  ],
                ]}
              />
              <Paper withBorder p="lg" component="section" aria-label={t('singleSignOn.setUp')}>
                <Stack gap="sm">
                  <Title order={2} size="h5">
                    {t('singleSignOn.setUp')}
                  </Title>
                  <Text size="sm">{t('singleSignOn.setUpText')}</Text>
                  <CodeBlock code={example} />
                  <Text size="sm" c="dimmed">
                    {t('singleSignOn.rolesText')}
                  </Text>
                </Stack>
              </Paper>
            </Stack>
          )
        }
      </QueryState>
    </Page>
  );
}
