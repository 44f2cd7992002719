import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ArrowUpFromLine } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ContactSources } from '#components/contacts/contact-sources.tsx';
import { ExportDialog } from '#components/contacts/export-dialog.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { AudienceChanges } from './tabs/audience-changes.tsx';
import { AudienceContacts } from './tabs/audience-contacts.tsx';
import { AudienceFrame } from './audience-frame.tsx';
import { AudienceUses } from './tabs/audience-uses.tsx';
import { ListGrowth } from './tabs/list-growth.tsx';

/** Columns of a quick export. Other columns can be chosen in the table of contacts. */
export const exportedColumns = ['email', 'mobile', 'FIRST_NAME', 'LAST_NAME', 'CITY', 'contact_type', 'created_at'];

/** The page /audiences/lists/$audienceId. */
export function ListPage(): ReactNode {
  const t = useTexts('audiences');
  const access = useAccount();
  const { accountId, account, can } = access;
  const audienceId = Number(useParams({ strict: false }).audienceId);
  const [isExporting, setExporting] = useState(false);
  const list = useQuery({
    queryKey: ['accounts', accountId, 'lists', 'one', audienceId],
    queryFn: ({ signal }) => account.lists.get(audienceId, { signal }),
  });
  return (
    <Page fill>
      <ContactSources access={access}>
        <QueryState query={list}>
          {(found) => (
            <>
              <AudienceFrame
                audience={found}
                badge={
                  <Badge variant="light" tt="none" radius="sm">
                    {t('members', { count: found.member_count, formatted: formatNumber(found.member_count) })}
                  </Badge>
                }
                actions={
                  can('export') && (
                    <Button
                      variant="default"
                      leftSection={<ArrowUpFromLine size={14} aria-hidden />}
                      onClick={() => setExporting(true)}
                    >
                      {t('export')}
                    </Button>
                  )
                }
                tabs={[
                  { id: 'contacts', panel: () => <AudienceContacts type="list" audienceId={audienceId} /> },
                  { id: 'growth', panel: () => <ListGrowth audienceId={audienceId} /> },
                  { id: 'uses', panel: () => <AudienceUses audience={found} /> },
                  ...(can('audit-log:read')
                    ? [{ id: 'changes' as const, panel: () => <AudienceChanges subject={`list:${audienceId}`} /> }]
                    : []),
                ]}
              />
              <ExportDialog
                access={access}
                isOpen={isExporting}
                onClose={() => setExporting(false)}
                source={{ audienceType: 'list', audienceId }}
                columns={exportedColumns}
              />
            </>
          )}
        </QueryState>
      </ContactSources>
    </Page>
  );
}
