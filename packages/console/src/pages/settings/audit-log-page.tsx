import type { AuditLogEntry } from '@roster/client';
import { Button, Drawer, Group, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { dayEnd, dayStart } from '#components/values/day-bounds.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { useTimeZone } from '#components/values/time-zone.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ActionField } from './audit-log/action-field.tsx';
import { auditDetailsText } from './audit-log/audit-details.ts';
import { AuditEntry } from './audit-log/audit-entry.tsx';
import { useActionName, useAuditWords } from './audit-log/audit-words.ts';
import { AuthorField } from './audit-log/author-field.tsx';
import type { AuditLogSearch } from './audit-log-search.ts';
import { SettingsHeader } from './settings-section.tsx';

/** Who changed what, and when. */
export function AuditLogPage(): ReactNode {
  const t = useTexts('settings');
  const { accountId, account } = useAccount();
  const search = useSearch({ from: '/signed-in/accounts/$accountId/settings/audit-log' });
  const navigate = useNavigate();
  const authorOf = useAuthorName();
  const actionOf = useActionName();
  const auditWords = useAuditWords();
  const common = useTexts('common');
  const entryWords = useTexts('auditLog');
  const [open, setOpen] = useState<AuditLogEntry>();
  const timeZone = useTimeZone();
  const { from, to, ...words } = search;
  const filter = {
    ...Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)),
    ...(from !== undefined && { from: dayStart(from, timeZone) }),
    ...(to !== undefined && { to: dayEnd(to, timeZone) }),
  };
  const rows = useRowsOfPages(
    useInfiniteQuery(
      listingQuery(['accounts', accountId, 'audit-log', filter], (more) =>
        account.auditLog.list({ ...filter, ...more }),
      ),
    ),
  );
  const isFiltered = Object.keys(filter).length > 0;
  const show = (next: AuditLogSearch) => void navigate({ to: '.', search: next as never, replace: true });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string) => (form.get(name) as string).trim() || undefined;
    show({
      actor: given('actor'),
      action: given('action'),
      subject: given('subject'),
      from: given('from'),
      to: given('to'),
    });
  }

  const columns = useMemo(
    (): DataColumn<AuditLogEntry>[] => [
      { id: 'at', label: t('auditLog.at'), cell: (row) => <DateTime value={row.occurred_at} />, width: momentWidth },
      {
        id: 'actor',
        label: t('auditLog.actor'),
        cell: (row) => <Actor name={authorOf(row.actor)} actor={row.actor} />,
        width: 170,
      },
      {
        id: 'action',
        label: t('auditLog.action'),
        cell: ({ action }) => (
          <Text inherit truncate title={`${actionOf(action)} (${action})`}>
            {actionOf(action)}
          </Text>
        ),
        width: 270,
        minWidth: 222,
      },
      { id: 'subject', label: t('auditLog.subject'), cell: (row) => <Mono text={row.subject} />, width: 190 },
      {
        id: 'details',
        label: t('auditLog.details'),
        cell: ({ details }) => (
          <Text inherit truncate>
            {auditDetailsText(details, auditWords)}
          </Text>
        ),
        width: 300,
        grows: true,
      },
    ],
    [t, authorOf, actionOf, auditWords],
  );
  return (
    <Page fill>
      <SettingsHeader title={t('auditLog.title')} text={t('auditLog.text')}>
        <ApiCallButton call={{ operation: 'listAuditLog', path: { account_id: accountId }, query: filter }} />
      </SettingsHeader>
      {/* A new form for each filter, so that the back button also changes the fields. */}
      <form onSubmit={submit} key={JSON.stringify(search)}>
        <Group gap="xs" align="flex-end">
          <AuthorField name="actor" value={search.actor} />
          <ActionField name="action" value={search.action} />
          <TextInput
            name="subject"
            label={t('auditLog.subject')}
            placeholder={t('auditLog.subjectExample')}
            defaultValue={search.subject}
            w={170}
          />
          <TextInput name="from" type="date" label={t('auditLog.from')} defaultValue={from} w={150} />
          <TextInput name="to" type="date" label={t('auditLog.to')} defaultValue={to} w={150} />
          <Button type="submit" variant="default" size="sm">
            {t('auditLog.search')}
          </Button>
          {isFiltered && (
            <Button variant="subtle" color="gray" size="sm" onClick={() => show({})}>
              {t('auditLog.clear')}
            </Button>
          )}
        </Group>
      </form>
      <DataTable
        label={t('auditLog.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.audit_id)}
        onOpen={setOpen}
        empty={
          <EmptyState
            icon={ScrollText}
            guide="/docs/contract/audit-log"
            title={t(isFiltered ? 'auditLog.noMatch.title' : 'auditLog.empty.title')}
            text={t(isFiltered ? 'auditLog.noMatch.text' : 'auditLog.empty.text')}
          />
        }
      />
      <Drawer
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        position="right"
        size="lg"
        title={entryWords('entry')}
        closeButtonProps={{ 'aria-label': common('actions.close') }}
      >
        {open !== undefined && <AuditEntry entry={open} />}
      </Drawer>
    </Page>
  );
}

/** The name of a person, or the kind of program, and the word for the filter. */
function Actor({ name, actor }: { readonly name: string; readonly actor: string }): ReactNode {
  return (
    <Text inherit truncate title={`${name} (${actor})`}>
      {name}{' '}
      {actor.includes(':') && (
        <Text span size="xs" c="dimmed" ff="monospace">
          {actor}
        </Text>
      )}
    </Text>
  );
}

function Mono({ text }: { readonly text: string }): ReactNode {
  return (
    <Text inherit ff="monospace" truncate title={text}>
      {text}
    </Text>
  );
}
