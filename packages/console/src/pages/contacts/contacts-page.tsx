import { Alert, Badge, Button, Group, Paper, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowUpFromLine, BookmarkPlus, ListChecks, ListFilter, TriangleAlert, UserPlus } from 'lucide-react';
import { lazy, useCallback, useRef, useState, type ReactNode } from 'react';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ButtonLink } from '#components/actions/links.tsx';
import { useContactColumns } from '#components/contacts/table/contact-columns.tsx';
import { mostColumns, searchBody } from '#components/contacts/contact-search.ts';
import { exportColumns } from '#components/contacts/export-columns.ts';
import { ContactSources } from '#components/contacts/contact-sources.tsx';
import { useTableState } from '#components/contacts/table/use-table-state.ts';
import { ContactTable } from '#components/contacts/table/contact-table.tsx';
import { nameFilter } from '#components/contacts/name-filter.ts';
import { LiveCount, useContactCount } from '#components/contacts/live-count.tsx';
import { QuickFind } from '#components/contacts/quick-find.tsx';
import { SaveSegmentDialog } from '#components/contacts/save-segment-dialog.tsx';
import { FilterBuilder } from '#components/filter/filter-builder.tsx';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { useFilterWords } from '#components/filter/filter-words.ts';
import { describeFilter } from '#components/filter/model/describe-filter.ts';
import {
  countConditions,
  countIncomplete,
  newGroup,
  noFilter,
  toSearchFilter,
  type FilterModel,
} from '#components/filter/model/filter.ts';
import { useFilterDraft } from '#components/filter/use-filter-draft.ts';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { MessageState } from '#components/states/message-state.tsx';
import { isVisible } from '#components/table/columns.ts';
import { ColumnChooser } from '#components/table/column-chooser.tsx';
import { writeSort } from '#components/table/sort-address.ts';
import { SavedViews } from '#components/views/saved-views.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { readContactsSearch, type ContactsSearch } from './contacts-search.ts';

const AddContactDialog = lazy(async () => ({
  default: (await import('./add/add-contact-dialog.tsx')).AddContactDialog,
}));

/** The page /contacts: all contacts, the filter builder, and actions on many contacts. */
export function ContactsPage(): ReactNode {
  return (
    <Page fill>
      <ContactSources access={useAccount()}>
        <Contacts />
      </ContactSources>
    </Page>
  );
}

function Contacts(): ReactNode {
  const t = useTexts('contacts');
  const filterTexts = useTexts('filter');
  const access = useAccount();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as ContactsSearch;
  const { fields } = useFilterSources();
  const words = useFilterWords();
  const columns = useContactColumns();
  const [isSaving, setSaving] = useState(false);
  const [wantsToSave, setWantsToSave] = useState(false);
  const filterButton = useRef<HTMLButtonElement>(null);
  const [isAdding, setAdding] = useState(false);
  const add = access.can('contacts:write') ? () => setAdding(true) : undefined;

  const change = useCallback(
    (next: ContactsSearch) => void navigate({ to: '.', search: (now: ContactsSearch) => ({ ...now, ...next }) }),
    [navigate],
  );
  const { applied, draft, setDraft } = useFilterDraft(search.filter, (filter) => change({ filter }));
  const filter = applied ?? noFilter;
  const { shown, sort } = useTableState(search);
  const count = useContactCount(access, filter);
  const conditions = countConditions(filter);
  const open = (contactId: number): void =>
    void navigate({
      to: '/accounts/$accountId/contacts/$contactId',
      params: { accountId: access.accountId, contactId: String(contactId) },
    });

  const isNewSegment = search.segment === true && access.can('segments:write');
  const missing = draft.groups.length === 0 ? 'noCondition' : countIncomplete(draft) > 0 ? 'incomplete' : undefined;
  if (wantsToSave && missing === undefined) setWantsToSave(false);
  const save = (): void => {
    setWantsToSave(missing !== undefined);
    if (missing === undefined) setSaving(true);
    else if (search.build !== true) change({ build: true });
  };
  const builds = search.build === true;
  const toggleBuilder = (): void => {
    change({ build: builds ? undefined : true });
    if (!builds && draft.groups.length === 0) setDraft({ ...noFilter, groups: [newGroup()] });
  };
  if (applied === undefined || hasUnknownField(applied, fields.byName)) {
    return (
      <>
        <PageHeader title={t('title')} />
        <MessageState
          role="alert"
          icon={TriangleAlert}
          title={filterTexts('damaged.title')}
          text={filterTexts('damaged.text')}
        >
          <Button variant="default" onClick={() => change({ filter: undefined })}>
            {filterTexts('damaged.clear')}
          </Button>
        </MessageState>
      </>
    );
  }

  const query = {
    filter,
    sort,
    fields: columns.filter((column) => isVisible(column, shown)).map(({ id }) => id),
  };
  const exportAll = (): void =>
    void navigate({
      to: '/accounts/$accountId/exports/new',
      params: { accountId: access.accountId },
      search: { filter: toSearchFilter(filter), attributes: exportColumns(query.fields, fields.primaryKey) },
    });
  return (
    <>
      <PageHeader title={t('title')} badge={<LiveCount count={count} />}>
        <SavedViews
          accountId={access.accountId}
          account={access.account}
          page="contacts"
          state={{ ...viewOf(search) }}
          canShare={access.can('segments:write')}
          onOpen={(state) => void navigate({ to: '.', search: readContactsSearch(state) })}
        />
        <ApiCallButton call={{ operation: 'searchContacts', accountId: access.accountId, body: searchBody(query) }} />
        {access.can('segments:write') && (conditions > 0 || builds || isNewSegment) && (
          <Button
            variant={isNewSegment ? 'filled' : 'default'}
            leftSection={<BookmarkPlus size={14} aria-hidden />}
            onClick={save}
          >
            {filterTexts('save.open')}
          </Button>
        )}
        {access.can('export') && (
          <Button variant="default" leftSection={<ArrowUpFromLine size={14} aria-hidden />} onClick={exportAll}>
            {filterTexts('bulk.export')}
          </Button>
        )}
        {add !== undefined && (
          <Button
            variant={isNewSegment ? 'default' : 'filled'}
            leftSection={<UserPlus size={14} aria-hidden />}
            onClick={add}
          >
            {t('add.action')}
          </Button>
        )}
      </PageHeader>
      <Group gap="xs" justify="space-between">
        <Group gap="xs" wrap="nowrap" flex="1 1 320px">
          <QuickFind
            access={access}
            onOpen={open}
            onFindByName={
              nameFilter(fields, 'a') === undefined ? undefined : (text) => change({ filter: nameFilter(fields, text) })
            }
          />
          <Button
            ref={filterButton}
            variant={builds ? 'light' : 'default'}
            leftSection={<ListFilter size={14} aria-hidden />}
            rightSection={
              conditions > 0 && (
                <Badge size="sm" circle>
                  {conditions}
                </Badge>
              )
            }
            aria-expanded={builds}
            flex="none"
            onClick={toggleBuilder}
          >
            {t('filter')}
          </Button>
        </Group>
        <Group gap="xs">
          {access.can('contacts:read') && (
            <ButtonLink
              to="/accounts/$accountId/contacts/bulk-changes"
              params={{ accountId: access.accountId }}
              variant="subtle"
              color="gray"
              leftSection={<ListChecks size={14} aria-hidden />}
            >
              {t('bulkChanges')}
            </ButtonLink>
          )}
          <ColumnChooser
            columns={columns}
            shown={shown}
            most={mostColumns}
            onChange={(next) => change({ columns: next?.join(',') })}
          />
        </Group>
      </Group>
      {isNewSegment && (
        <Text size="sm" c="dimmed" flex="none">
          {t('segment.hint')}
        </Text>
      )}
      {wantsToSave && missing !== undefined && (
        <Alert color="yellow" role="alert" p="xs" flex="none">
          {t(`segment.${missing}`)}
        </Alert>
      )}
      {builds && (
        <Paper withBorder p="sm" radius="md" mah="42dvh" style={{ overflowY: 'auto', flex: 'none' }}>
          <FilterBuilder filter={draft} onChange={setDraft} />
        </Paper>
      )}
      {!builds && conditions > 0 && (
        <Group gap="xs" wrap="nowrap" flex="none">
          <Text size="sm" c="dimmed" lineClamp={2}>
            {describeFilter(filter, words)}
          </Text>
          <Button
            variant="subtle"
            flex="none"
            onClick={() => {
              change({ filter: undefined });
              filterButton.current?.focus();
            }}
          >
            {t('clearFilter')}
          </Button>
        </Group>
      )}
      <ContactTable
        access={access}
        filter={filter}
        columns={columns}
        shown={shown}
        sort={sort}
        onSort={(next) => change({ sort: writeSort(next) })}
        count={count.isPlaceholderData ? undefined : count.data}
        onExport={exportAll}
        onClear={() => setDraft(noFilter)}
        {...(conditions === 0 && { empty: <NoContacts onAdd={add} /> })}
      />
      {isAdding && (
        <SeparatePart>
          <AddContactDialog onClose={() => setAdding(false)} onOpen={open} />
        </SeparatePart>
      )}
      <SaveSegmentDialog access={access} filter={filter} isOpen={isSaving} onClose={() => setSaving(false)} />
    </>
  );
}

/** The state that a saved view keeps. Whether the builder is open is not part of it. */
function viewOf({ filter, columns, sort }: ContactsSearch): ContactsSearch {
  return { filter, columns, sort };
}

/** A filter on a field that does not exist would be refused by the service. */
function hasUnknownField({ groups }: FilterModel, known: ReadonlyMap<string, unknown>): boolean {
  return groups.some(({ conditions }) => conditions.some(({ field }) => !known.has(field)));
}

function NoContacts({ onAdd }: { readonly onAdd: (() => void) | undefined }): ReactNode {
  const t = useTexts('contacts');
  const { accountId, can } = useAccount();
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={UserPlus}
      title={t('empty.title')}
      text={t('empty.text')}
      action={
        <Group gap="xs" justify="center">
          {can('imports:write') && (
            <Button onClick={() => void navigate({ to: '/accounts/$accountId/imports/new', params: { accountId } })}>
              {t('empty.import')}
            </Button>
          )}
          {onAdd !== undefined && (
            <Button variant="default" onClick={onAdd}>
              {t('add.action')}
            </Button>
          )}
        </Group>
      }
      guide="/docs/guides/marketer"
      curl={`curl -X POST '${location.origin}/v5/contact/create' \\
  -H "api-key: $ROSTER_API_KEY" -H 'content-type: application/json' \\
  -d '{"data":{"contact_type":"identified","contacts":[{"identity":"asha@example.com"}]}}'`}
    />
  );
}
