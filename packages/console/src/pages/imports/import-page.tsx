import { Button, Card } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Import } from '@roster/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Repeat } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { useShownWork } from '#components/work/own-work.ts';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatBytes } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ColumnsCard } from './run/columns-card.tsx';
import { importQuery, isRunning } from './run/import-query.ts';
import { ImportResult } from './run/import-result.tsx';
import { SendRest } from './wizard/send-rest.tsx';

/** One import: its progress, its result, its failed rows and its options. */
export function ImportPage(): ReactNode {
  const t = useTexts('imports');
  const { accountId } = useAccount();
  const { importId } = useParams({ from: '/signed-in/accounts/$accountId/imports/$importId' });
  const query = useQuery(importQuery(accountId, importId));
  useShownWork('import', importId);
  return (
    <Page>
      <PageHeader
        title={query.data === undefined ? t('one') : (query.data.file_name ?? t('list.noName'))}
        above={[{ label: t('title'), to: `/accounts/${accountId}/imports` }]}
      >
        <ApiCallButton call={{ operation: 'getImport', path: { account_id: accountId, import_id: importId } }} />
        {query.data !== undefined && <Actions found={query.data} />}
      </PageHeader>
      <QueryState query={query}>
        {(found) => (
          <>
            {found.status === 'awaiting_file' ? <SendRest found={found} /> : <ImportResult found={found} />}
            <Card withBorder>
              <KeyValues entries={factsOf(found, t)} />
            </Card>
            <ColumnsCard found={found} />
          </>
        )}
      </QueryState>
    </Page>
  );
}

function factsOf(found: Import, t: ReturnType<typeof useTexts<'imports'>>): [string, ReactNode][] {
  const moment = (at: string | null): ReactNode => (at === null ? '–' : <DateTime value={at} />);
  return [
    ...(found.source_url === null ? [] : [[t('facts.source'), found.source_url] as [string, ReactNode]]),
    ...(found.notify_email === null ? [] : [[t('facts.notify'), found.notify_email] as [string, ReactNode]]),
    [t('facts.size'), found.file_size === null ? '–' : formatBytes(found.file_size)],
    [t('facts.encoding'), found.encoding === null ? '–' : t(`encodings.${found.encoding}`)],
    [t('options.mode'), t(`modes.${found.mode}`)],
    [t('facts.created'), moment(found.created_at)],
    [t('facts.finished'), moment(found.finished_at)],
  ];
}

function Actions({ found }: { readonly found: Import }): ReactNode {
  const t = useTexts('imports');
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  if (!can('imports:write')) return null;
  const canCancel = isRunning(found) || found.status === 'awaiting_file';
  return (
    <>
      {canCancel && (
        <Button variant="default" onClick={open}>
          {t('actions.cancel')}
        </Button>
      )}
      {!canCancel && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/accounts/$accountId/imports/new"
              params={{ accountId }}
              search={{ mapping_of: found.import_id }}
              {...props}
            />
          )}
          leftSection={<Repeat size={14} aria-hidden />}
        >
          {t('actions.again')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={t('cancel.title')}
        action={t('actions.cancel')}
        onConfirm={async () => {
          const cancelled = await account.imports.cancel(found.import_id);
          cache.setQueryData(importQuery(accountId, found.import_id).queryKey, cancelled);
          await cache.invalidateQueries({ queryKey: ['accounts', accountId, 'imports', 'list'] });
        }}
      >
        {t('cancel.text')}
      </ConfirmDialog>
    </>
  );
}
