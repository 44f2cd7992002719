import type { WaitingSignUp } from '@roster/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MailQuestion } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ButtonLink } from '#components/actions/links.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { PrivacyHeader } from './privacy-section.tsx';

/** The sign-ups that wait for their confirmation. */
export function SignUpsPage(): ReactNode {
  const t = useTexts('privacy');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const rows = useRowsOfPages(
    useInfiniteQuery(listingQuery(['accounts', accountId, 'sign-ups'], (more) => account.signUps.list(more))),
  );
  const columns = useMemo(
    (): DataColumn<WaitingSignUp>[] => [
      { id: 'email', label: t('signUps.email'), cell: (row) => row.email ?? '–', width: 300, grows: true },
      { id: 'created', label: t('signUps.created'), cell: (row) => <DateTime value={row.created_at} />, width: 200 },
      {
        id: 'expires',
        label: t('signUps.expires'),
        cell: (row) => <DateTime value={row.expires_at} ago />,
        width: 200,
      },
    ],
    [t],
  );
  const curl = curlOf({
    operation: 'createSignUp',
    path: { account_id: accountId },
    body: { email: 'lena@example.com' },
  });
  return (
    <Page fill>
      <PrivacyHeader title={t('signUps.title')} text={t('signUps.text')}>
        <ApiCallButton call={{ operation: 'listSignUps', path: { account_id: accountId } }} />
      </PrivacyHeader>
      <DataTable
        label={t('signUps.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.sign_up_id}
        empty={
          <EmptyState
            guide="/docs/lifecycle#sign-up"
            icon={MailQuestion}
            title={t('signUps.empty.title')}
            text={t('signUps.empty.text')}
            action={
              can('api-keys:write') && (
                <ButtonLink to="/accounts/$accountId/developers/api-keys" params={{ accountId }}>
                  {common('empty.newKey')}
                </ButtonLink>
              )
            }
            curl={curl}
          />
        }
      />
    </Page>
  );
}
