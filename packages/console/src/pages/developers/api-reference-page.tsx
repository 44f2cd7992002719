import { Anchor, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { BookOpen, Braces, Compass, ExternalLink, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { Page } from '#components/layout/page.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DevelopersHeader } from './section/developers-section.tsx';

/** Where the API is described, and a first request. */
export function ApiReferencePage(): ReactNode {
  const t = useTexts('developers');
  const { accountId } = useAccount();
  const first = `curl -X POST '${location.origin}/v5/contact/search' \\
  -H "api-key: $ROSTER_API_KEY" -H 'content-type: application/json' \\
  -d '{"output": {"get_count": true}}'`;
  const operator = `curl '${location.origin}/admin/v1/accounts/${accountId}' \\
  -H "Authorization: Bearer $ROSTER_TOKEN"`;
  return (
    <Page>
      <DevelopersHeader title={t('apiReference.title')} text={t('apiReference.text')} />
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Target
          icon={<BookOpen size={18} aria-hidden />}
          href="/docs/api"
          title={t('apiReference.docs')}
          text={t('apiReference.docsText')}
        />
        <Target
          icon={<Compass size={18} aria-hidden />}
          href="/docs/guides/developer"
          title={t('apiReference.guide')}
          text={t('apiReference.guideText')}
        />
        <Target
          icon={<Braces size={18} aria-hidden />}
          href="/openapi.json"
          title={t('apiReference.openapi')}
          text={t('apiReference.openapiText')}
        />
      </SimpleGrid>
      <Stack gap="sm">
        <Title order={2} size="h5">
          <Terminal size={14} aria-hidden /> {t('apiReference.first')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('apiReference.firstText')}
        </Text>
        <CodeBlock code={first} />
        <Text size="sm" c="dimmed">
          {t('apiReference.operatorText')}
        </Text>
        <CodeBlock code={operator} />
      </Stack>
    </Page>
  );
}

function Target({
  icon,
  href,
  title,
  text,
}: {
  readonly icon: ReactNode;
  readonly href: string;
  readonly title: string;
  readonly text: string;
}): ReactNode {
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Anchor
          href={href}
          target="_blank"
          rel="noreferrer"
          fw={600}
          display="inline-flex"
          style={{ gap: 8, alignItems: 'center' }}
        >
          {icon} {title} <ExternalLink size={14} aria-hidden />
        </Anchor>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </Stack>
    </Paper>
  );
}
