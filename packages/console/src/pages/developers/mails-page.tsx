import type { MailSummary } from '@roster/client';
import { Alert, Drawer, Group, Select, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ButtonLink } from '#components/actions/links.tsx';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DevelopersHeader } from './section/developers-section.tsx';
import type { MailsSearch } from './searches.ts';

/** The mails of the account, and whether the mail server accepted them. */
export function MailsPage(): ReactNode {
  const t = useTexts('developers');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const search = useSearch({ from: '/signed-in/accounts/$accountId/developers/mails' });
  const { status, mail } = search;
  const navigate = useNavigate();
  const show = (change: MailsSearch) => void navigate({ to: '.', search: { ...search, ...change } as never });
  const rows = useRowsOfPages(
    useInfiniteQuery(
      listingQuery(['accounts', accountId, 'mails', { status }], (more) =>
        account.mails.list({ ...(status && { status }), ...more }),
      ),
    ),
  );
  const columns = useMemo(
    (): DataColumn<MailSummary>[] => [
      {
        id: 'created',
        label: t('mails.created'),
        cell: (row) => <DateTime value={row.created_at} />,
        width: momentWidth,
      },
      {
        id: 'status',
        label: t('mails.status'),
        cell: (row) => <StatusBadge status={row.status} />,
        width: 150,
        minWidth: 120,
      },
      {
        id: 'to',
        label: t('mails.to'),
        cell: (row) => (
          <Text inherit truncate>
            {row.to}
          </Text>
        ),
        width: 240,
        minWidth: 180,
      },
      {
        id: 'subject',
        label: t('mails.subject'),
        cell: (row) => (
          <Text inherit truncate>
            {row.subject}
          </Text>
        ),
        width: 300,
        grows: true,
      },
      {
        id: 'attempts',
        label: t('mails.attempts'),
        cell: (row) => formatNumber(row.attempts),
        width: 100,
        align: 'end',
      },
      {
        id: 'error',
        label: t('mails.error'),
        cell: (row) => (
          <Text inherit ff="monospace" truncate>
            {row.last_error?.code ?? '–'}
          </Text>
        ),
        width: 180,
        minWidth: 140,
      },
    ],
    [t],
  );
  return (
    <Page fill>
      <DevelopersHeader title={t('mails.title')} text={t('mails.text')}>
        <ApiCallButton call={{ operation: 'listMails', path: { account_id: accountId }, query: { status } }} />
      </DevelopersHeader>
      <Group gap="xs">
        <Select
          aria-label={t('mails.status')}
          placeholder={t('mails.anyStatus')}
          clearable
          w={200}
          value={status ?? null}
          onChange={(value) => show({ status: value ?? undefined })}
          data={(['stored', 'pending', 'sent', 'failed'] as const).map((value) => ({
            value,
            label: common(`status.${value}`),
          }))}
        />
      </Group>
      <DataTable
        label={t('mails.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.mail_id}
        onOpen={(row) => show({ mail: row.mail_id })}
        empty={
          <EmptyState
            guide="/docs/mails"
            icon={Mail}
            title={t('mails.empty.title')}
            text={t('mails.empty.text')}
            action={
              can('export') && (
                <ButtonLink to="/accounts/$accountId/exports/new" params={{ accountId }}>
                  {common('empty.newExport')}
                </ButtonLink>
              )
            }
            curl={curlOf({
              operation: 'createExport',
              path: { account_id: accountId },
              body: { filter: {}, notify_email: 'asha@example.com' },
            })}
          />
        }
      />
      <Drawer
        opened={mail !== undefined}
        onClose={() => show({ mail: undefined })}
        position="right"
        size="lg"
        title={t('mails.oneTitle')}
        closeButtonProps={{ 'aria-label': common('actions.close') }}
      >
        {mail !== undefined && <MailDetails mailId={mail} />}
      </Drawer>
    </Page>
  );
}

function MailDetails({ mailId }: { readonly mailId: string }): ReactNode {
  const t = useTexts('developers');
  const reasonOf = useReasons();
  const { accountId, account } = useAccount();
  const mail = useQuery({
    queryKey: ['accounts', accountId, 'mails', mailId],
    queryFn: ({ signal }) => account.mails.get(mailId, { signal }),
  });
  return (
    <QueryState query={mail}>
      {(found) => (
        <Stack>
          <KeyValues
            entries={[
              [t('mails.status'), <StatusBadge key="status" status={found.status} />],
              [t('mails.to'), found.to],
              [t('mails.subject'), found.subject],
              [t('mails.created'), <DateTime key="created" value={found.created_at} />],
              [t('mails.sent'), <DateTime key="sent" value={found.sent_at} />],
              [t('mails.attempts'), formatNumber(found.attempts)],
            ]}
          />
          {found.last_error !== null && (
            <Alert color="red" title={found.last_error.code}>
              {reasonOf(found.last_error.message)} {found.last_error.reply}
            </Alert>
          )}
          {/* Only the text: the HTML of a mail is never shown in this page. */}
          <CodeBlock code={found.text} />
        </Stack>
      )}
    </QueryState>
  );
}
