import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { ForbiddenState } from '#components/states/forbidden-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ImportWizard } from './wizard/import-wizard.tsx';

/** The wizard for a new import. */
export function NewImportPage(): ReactNode {
  const t = useTexts('imports');
  const { accountId, account, can } = useAccount();
  const { mapping_of: mappingOf, list } = useSearch({ from: '/signed-in/accounts/$accountId/imports/new' });
  const query = useQuery({
    queryKey: ['accounts', accountId, 'imports', 'wizard', mappingOf],
    async queryFn({ signal }) {
      const [{ primary_key: primaryKey }, attributes, earlier] = await Promise.all([
        account.get({ signal }),
        account.attributes.list({ signal, limit: 500 }).all(),
        mappingOf === undefined ? undefined : account.imports.get(mappingOf, { signal }),
      ]);
      return {
        primaryKey,
        attributes: attributes.map(({ name, data_type: dataType }) => ({ name, dataType })),
        earlier,
      };
    },
    // A reload would start the wizard again.
    staleTime: Infinity,
  });
  return (
    <Page>
      <PageHeader
        title={mappingOf === undefined ? t('wizard.title') : t('wizard.againTitle')}
        text={t('wizard.text')}
        above={[{ label: t('title'), to: `/accounts/${accountId}/imports` }]}
      />
      {can('imports:write') ? (
        <QueryState query={query}>{(data) => <ImportWizard key={mappingOf} list={list} {...data} />}</QueryState>
      ) : (
        <ForbiddenState />
      )}
    </Page>
  );
}
