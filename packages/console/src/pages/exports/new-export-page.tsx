import { Button, Group, Paper, SimpleGrid, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { useOpenMade } from '#components/actions/link-message.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { noteStartedWork } from '#components/work/own-work.ts';
import { TextLink } from '#components/actions/links.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { ForbiddenState } from '#components/states/forbidden-state.tsx';
import { useAccountDetail } from '#shell/account/use-account-detail.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ExportPreviewTable } from './export-preview.tsx';
import type { NewExportSearch } from './search.ts';
import { bodyOf, ContentFields, contentOf, SourceFields, type ExportContent } from './source-fields.tsx';

/** The page /exports/new. The contacts and columns are in the address. */
export function NewExportPage(): ReactNode {
  const t = useTexts('exports');
  const { accountId, can } = useAccount();
  if (can('export')) return <NewExport />;
  return (
    <Page>
      <PageHeader title={t('form.title')} above={[{ label: t('title'), to: `/accounts/${accountId}/exports` }]} />
      <ForbiddenState />
    </Page>
  );
}

function NewExport(): ReactNode {
  const t = useTexts('exports');
  const { accountId, account } = useAccount();
  const search = useSearch({ from: '/signed-in/accounts/$accountId/exports/new' });
  const navigate = useNavigate({ from: '/accounts/$accountId/exports/new' });
  const openMade = useOpenMade();
  const cache = useQueryClient();
  const [content, setContent] = useState(() => contentOf(search));
  const [isCompressed, setCompressed] = useState(false);
  const [mail, setMail] = useState('');
  const [url, setUrl] = useState('');
  const base = bodyOf(content);
  const body = base && {
    ...base,
    ...(isCompressed ? { compression: 'gzip' as const } : {}),
    ...(mail.trim() === '' ? {} : { notify_email: mail.trim() }),
    ...(url.trim() === '' ? {} : { callback: { url: url.trim() } }),
  };
  const create = useMutation({
    mutationFn: () => account.exports.create(body!),
    async onSuccess({ request_id: requestId }) {
      void cache.invalidateQueries({ queryKey: ['accounts', accountId, 'exports'] });
      await openMade({
        id: `made-export-${requestId}`,
        title: t('form.started'),
        label: t('form.show'),
        to: `/accounts/${accountId}/exports/${requestId}`,
      });
      // Now the page of the export shows its end, unless the person is elsewhere.
      noteStartedWork({ kind: 'export', id: requestId });
    },
  });
  const faultOf = (field: string): string | undefined =>
    create.error === null
      ? undefined
      : problemOf(create.error).faults.find((one) => one.field.startsWith(field))?.message;

  function change(next: ExportContent): void {
    setContent(next);
    void navigate({ search: searchOf(next), replace: true });
  }

  return (
    <Page>
      <PageHeader
        title={t('form.title')}
        text={t('form.text')}
        above={[{ label: t('title'), to: `/accounts/${accountId}/exports` }]}
      >
        {body !== undefined && (
          <ApiCallButton call={{ operation: 'createExport', path: { account_id: accountId }, body }} />
        )}
      </PageHeader>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (body !== undefined) create.mutate();
          }}
        >
          <Stack gap="md">
            <Paper withBorder p="md">
              <SourceFields value={content} onChange={change} />
            </Paper>
            <Paper withBorder p="md">
              <Title order={2} size="h5" mb="sm">
                {t('form.file')}
              </Title>
              <ContentFields value={content} onChange={change} />
              <Switch
                mt="sm"
                label={t('form.compress')}
                checked={isCompressed}
                onChange={(event) => setCompressed(event.currentTarget.checked)}
              />
              <FormulaNote />
            </Paper>
            <Paper withBorder p="md">
              <Title order={2} size="h5" mb="sm">
                {t('form.after')}
              </Title>
              <Stack gap="sm">
                <TextInput
                  type="email"
                  label={t('form.mail')}
                  description={t('form.mailHint')}
                  value={mail}
                  error={faultOf('notify_email')}
                  onChange={(event) => setMail(event.currentTarget.value)}
                />
                <TextInput
                  type="url"
                  label={t('form.callback')}
                  description={t('form.callbackHint')}
                  placeholder="https://"
                  value={url}
                  error={faultOf('callback')}
                  onChange={(event) => setUrl(event.currentTarget.value)}
                />
              </Stack>
            </Paper>
            {faultOf('notify_email') === undefined && faultOf('callback') === undefined && (
              <ProblemAlert error={create.error} title={t('form.startFailed')} />
            )}
            <Group justify="flex-end">
              <Button type="submit" size="sm" loading={create.isPending} disabled={body === undefined}>
                {t('form.start')}
              </Button>
            </Group>
          </Stack>
        </form>
        <ExportPreviewTable body={base} />
      </SimpleGrid>
    </Page>
  );
}

/** Warns of formulas if the account does not protect spreadsheets from them. */
function FormulaNote(): ReactNode {
  const t = useTexts('exports');
  const { accountId } = useAccount();
  if (useAccountDetail().data?.settings.csv_formula_guard !== false) return null;
  return (
    <Text size="xs" c="dimmed" mt="sm">
      {t('form.formulas')}{' '}
      <TextLink to="/accounts/$accountId/settings/account" params={{ accountId }} size="xs" underline="always">
        {t('form.formulaGuard')}
      </TextLink>
    </Text>
  );
}

function searchOf({ source, audienceId, filter, attributes, blocklist }: ExportContent): NewExportSearch {
  return {
    ...(source === 'list' || source === 'segment' ? { audience_type: source } : {}),
    ...(audienceId === null ? {} : { audience_id: audienceId }),
    ...(source === 'all' ? { filter: {} } : source === 'filter' && filter !== undefined ? { filter } : {}),
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(blocklist === 'none' ? {} : { blocklist_type: blocklist }),
  };
}
