import { Text } from '@mantine/core';
import type { AuditLogEntry } from '@roster/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Who changed a list or segment, newest first. */
export function AudienceChanges({ subject }: { readonly subject: string }): ReactNode {
  const t = useTexts('audiences');
  const { accountId, account } = useAccount();
  const nameOf = useAuthorName();
  const found = useInfiniteQuery(
    listingQuery<AuditLogEntry>(['accounts', accountId, 'audit-log', subject], ({ signal }) =>
      account.auditLog.list({ subject, signal }),
    ),
  );
  const columns = useMemo(
    (): DataColumn<AuditLogEntry>[] => [
      { id: 'at', label: t('changes.at'), width: momentWidth, cell: ({ occurred_at: at }) => <DateTime value={at} /> },
      { id: 'actor', label: t('changes.actor'), width: 160, cell: ({ actor }) => nameOf(actor) },
      { id: 'what', label: t('changes.what'), width: 420, grows: true, cell: (entry) => <Change entry={entry} /> },
    ],
    [t, nameOf],
  );
  return (
    <DataTable
      label={t('changes.title')}
      columns={columns}
      rows={useRowsOfPages<AuditLogEntry>(found)}
      rowId={(entry) => String(entry.audit_id)}
      empty={<EmptyState icon={History} title={t('changes.none')} text={t('changes.noneText')} />}
    />
  );
}

function Change({ entry: { action, details } }: { readonly entry: AuditLogEntry }): ReactNode {
  const t = useTexts('audiences');
  const { changes, filter_changed: isFilter } = details as {
    changes?: { name?: { from: string; to: string }; live?: { from: boolean; to: boolean } };
    filter_changed?: boolean;
  };
  const parts = [
    ...(action.endsWith('.create') ? [t('changes.created')] : []),
    ...(changes?.name === undefined ? [] : [t('changes.renamed', changes.name)]),
    ...(changes?.live === undefined ? [] : [t(changes.live.to ? 'changes.live' : 'changes.notLive')]),
    ...(isFilter === true ? [t('changes.filter')] : []),
  ];
  return (
    <Text component="span" inherit>
      {parts.length === 0 ? action : parts.join(' · ')}
    </Text>
  );
}
