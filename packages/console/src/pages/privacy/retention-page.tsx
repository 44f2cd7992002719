import { Alert, Button, Group, NumberInput, Paper, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccountDetail } from '@roster/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { PrivacyHeader } from './privacy-section.tsx';

/** How long data of people is kept. */
export function RetentionPage(): ReactNode {
  const t = useTexts('privacy');
  const { accountId, account } = useAccount();
  const found = useQuery({
    queryKey: ['accounts', accountId, 'account'],
    queryFn: ({ signal }) => account.get({ signal }),
  });
  return (
    <Page>
      <PrivacyHeader title={t('retention.title')} text={t('retention.text')}>
        <ApiCallButton call={{ operation: 'getAccount', path: { account_id: accountId } }} />
      </PrivacyHeader>
      <QueryState query={found}>{(data) => <RetentionForm key={data.updated_at} account={data} />}</QueryState>
    </Page>
  );
}

function RetentionForm({ account: { settings } }: { readonly account: AccountDetail }): ReactNode {
  const t = useTexts('privacy');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const [months, setMonths] = useState<number | string>(settings.activity_retention_months);
  const [rejects, setRejects] = useState(settings.reject_forgotten_contacts);
  const isReadOnly = !can('account:write');
  const change = useMutation({
    mutationFn: () =>
      account.update({ settings: { activity_retention_months: Number(months), reject_forgotten_contacts: rejects } }),
    onSuccess: (changed) => cache.setQueryData(['accounts', accountId, 'account'], changed),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate();
  }
  return (
    <Paper withBorder p="md" maw={760}>
      <form onSubmit={submit}>
        <Stack>
          <NumberInput
            label={t('retention.months')}
            description={t('retention.monthsText')}
            value={months}
            onChange={setMonths}
            min={1}
            max={120}
            allowDecimal={false}
            required
            disabled={isReadOnly}
            maw={320}
          />
          <Switch
            label={t('retention.forgotten')}
            description={t('retention.forgottenText')}
            checked={rejects}
            onChange={(event) => setRejects(event.currentTarget.checked)}
            disabled={isReadOnly}
          />
          <ProblemAlert error={change.error} />
          {change.isSuccess && (
            <Alert color="green" role="status">
              {common('errors.saved')}
            </Alert>
          )}
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button type="submit" loading={change.isPending}>
                {t('retention.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
