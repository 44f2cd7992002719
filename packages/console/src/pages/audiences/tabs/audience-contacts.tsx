import { Button, Group } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListFilter, UserRoundSearch } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { mostColumns } from '#components/contacts/contact-search.ts';
import { ContactTable } from '#components/contacts/table/contact-table.tsx';
import { useTableState } from '#components/contacts/table/use-table-state.ts';
import { useContactColumns } from '#components/contacts/table/contact-columns.tsx';
import { LiveCount, useContactCount } from '#components/contacts/live-count.tsx';
import { toAddress } from '#components/filter/model/filter-address.ts';
import { ButtonLink } from '#components/actions/links.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { ColumnChooser } from '#components/table/column-chooser.tsx';
import { writeSort } from '#components/table/sort-address.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { AudienceSearch } from '../audiences-search.ts';
import { useExportedColumns } from './audience-export.tsx';
import { audienceFilter } from './audience-filter.ts';

/** The contacts of a list or segment. */
export function AudienceContacts({
  type,
  audienceId,
}: {
  readonly type: 'list' | 'segment';
  readonly audienceId: number;
}): ReactNode {
  const t = useTexts('audiences');
  const access = useAccount();
  const navigate = useNavigate();
  const columns = useContactColumns();
  const { shown, sort } = useTableState(useSearch({ strict: false }));
  const change = (next: AudienceSearch): void =>
    void navigate({ to: '.', search: (old: AudienceSearch) => ({ ...old, ...next }) });
  const filter = useMemo(() => audienceFilter(type, audienceId), [type, audienceId]);
  const count = useContactCount(access, filter);
  const exported = useExportedColumns();
  return (
    <>
      <Group gap="xs" justify="space-between">
        <LiveCount count={count} />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<ListFilter size={14} aria-hidden />}
            onClick={() =>
              void navigate({
                to: '/accounts/$accountId/contacts',
                params: { accountId: access.accountId },
                search: { filter: toAddress(filter), build: true },
              })
            }
          >
            {t('filterFurther')}
          </Button>
          <ColumnChooser
            columns={columns}
            shown={shown}
            most={mostColumns}
            onChange={(next) => change({ columns: next?.join(',') })}
          />
        </Group>
      </Group>
      <ContactTable
        access={access}
        filter={filter}
        columns={columns}
        shown={shown}
        sort={sort}
        onSort={(next) => change({ sort: writeSort(next) })}
        count={count.data}
        onExport={() =>
          void navigate({
            to: '/accounts/$accountId/exports/new',
            params: { accountId: access.accountId },
            search: { audience_type: type, audience_id: audienceId, attributes: exported },
          })
        }
        empty={
          <EmptyState
            icon={UserRoundSearch}
            title={t('noContacts.title')}
            text={t(`noContacts.${type}`)}
            action={type === 'list' && access.can('contacts:write') && <FillList audienceId={audienceId} />}
          />
        }
      />
    </>
  );
}

/** How contacts come into an empty list. */
function FillList({ audienceId }: { readonly audienceId: number }): ReactNode {
  const t = useTexts('audiences');
  const { accountId, can } = useAccount();
  return (
    <Group gap="xs" justify="center">
      {can('imports:write') && (
        <ButtonLink to="/accounts/$accountId/imports/new" params={{ accountId }} search={{ list: audienceId }}>
          {t('noContacts.import')}
        </ButtonLink>
      )}
      <ButtonLink variant="default" to="/accounts/$accountId/contacts" params={{ accountId }}>
        {t('noContacts.choose')}
      </ButtonLink>
    </Group>
  );
}
