import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Erasure } from '@roster/client';
import type { ReactNode } from 'react';
import { CopyText } from '#components/actions/copy-text.tsx';
import { TextLink } from '#components/actions/links.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** One erasure: what was erased and when, and the files that may still contain the person. */
export function ErasureDetails({ erasureId }: { readonly erasureId: string }): ReactNode {
  const { accountId, account } = useAccount();
  const query = useQuery({
    queryKey: ['accounts', accountId, 'erasures', erasureId],
    queryFn: ({ signal }) => account.erasures.get(erasureId, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.status === 'running' ? 3_000 : false),
  });
  return <QueryState query={query}>{(erasure) => <Details erasure={erasure} />}</QueryState>;
}

function Details({ erasure }: { readonly erasure: Erasure }): ReactNode {
  const t = useTexts('privacy');
  const { accountId, can } = useAccount();
  const { contact_id: contactId, erased, export_files: files } = erasure;
  return (
    <Stack>
      <KeyValues
        entries={[
          [t('erasures.status'), <StatusBadge key="status" status={erasure.status} />],
          [t('erasures.contact'), contactId],
          [t('erasures.id'), <CopyText key="id" value={erasure.request_id} />],
          [t('erasures.accepted'), <DateTime key="accepted" value={erasure.accepted_at} />],
          [t('erasures.gone'), <DateTime key="gone" value={erasure.erased_at} />],
          [t('erasures.finished'), <DateTime key="finished" value={erasure.finished_at} />],
          [t('erasures.items'), formatNumber(erased.items)],
          [t('erasures.mails'), formatNumber(erased.mails)],
          [t('erasures.signUps'), formatNumber(erased.sign_ups)],
          [
            t('erasures.author'),
            can('audit-log:read') ? (
              <TextLink
                key="author"
                inherit
                to="/accounts/$accountId/settings/audit-log"
                params={{ accountId }}
                search={{ subject: `contact:${contactId}` }}
              >
                {t('erasures.auditLog')}
              </TextLink>
            ) : undefined,
          ],
        ]}
      />
      <Title order={3} size="h5">
        {t('erasures.files')}
      </Title>
      {files.length === 0 ? (
        <Text size="sm">{t('erasures.noFile')}</Text>
      ) : (
        <>
          <Text size="sm">{t('erasures.filesText')}</Text>
          <ShortTable
            aria-label={t('erasures.files')}
            minWidth={480}
            heads={[t('erasures.of'), t('erasures.deleted'), t('erasures.export')]}
          >
            {files.map((file) => (
              <Table.Tr key={file.request_id}>
                <Table.Td>
                  {file.audience_type === null
                    ? t('erasures.sources.filter')
                    : t(`erasures.sources.${file.audience_type}`, { id: String(file.audience_id) })}
                </Table.Td>
                <Table.Td>
                  {file.status === 'running' ? t('erasures.running') : <DateTime value={file.expires_at} />}
                </Table.Td>
                <Table.Td>
                  <ExportName exportId={file.request_id} />
                </Table.Td>
              </Table.Tr>
            ))}
          </ShortTable>
        </>
      )}
    </Stack>
  );
}

/** The id of an export, which leads to its page if the person may see it. */
function ExportName({ exportId }: { readonly exportId: string }): ReactNode {
  const { accountId, can } = useAccount();
  const id = (
    <Text component="span" inherit ff="monospace">
      {exportId}
    </Text>
  );
  if (!can('exports:read')) return id;
  return (
    <TextLink to="/accounts/$accountId/exports/$requestId" params={{ accountId, requestId: exportId }} inherit>
      {id}
    </TextLink>
  );
}
