import { useSearch } from '@tanstack/react-router';
import { ArrowUpFromLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '#components/actions/links.tsx';
import { exportColumns } from '#components/contacts/export-columns.ts';
import { useContactColumns } from '#components/contacts/table/contact-columns.tsx';
import { useTableState } from '#components/contacts/table/use-table-state.ts';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { isVisible } from '#components/table/columns.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Returns the columns of a file that has the columns of the table of contacts. */
export function useExportedColumns(): string[] {
  const { fields } = useFilterSources();
  const { shown } = useTableState(useSearch({ strict: false }));
  const columns = useContactColumns().filter((column) => isVisible(column, shown));
  return exportColumns(
    columns.map(({ id }) => id),
    fields.primaryKey,
  );
}

/** The link to an export of a list or segment, with the columns of its table. */
export function AudienceExport({
  type,
  audienceId,
}: {
  readonly type: 'list' | 'segment';
  readonly audienceId: number;
}): ReactNode {
  const t = useTexts('audiences');
  const { accountId, can } = useAccount();
  const attributes = useExportedColumns();
  if (!can('export')) return null;
  return (
    <ButtonLink
      to="/accounts/$accountId/exports/new"
      params={{ accountId }}
      search={{ audience_type: type, audience_id: audienceId, attributes }}
      variant="default"
      leftSection={<ArrowUpFromLine size={14} aria-hidden />}
    >
      {t('export')}
    </ButtonLink>
  );
}
