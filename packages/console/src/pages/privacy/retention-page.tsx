import { Paper, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccountDetail } from '@roster/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { WholeNumberField, type WithEmpty } from '#components/inputs/whole-number-field.tsx';
import { Page } from '#components/layout/page.tsx';
import { MergeDialog } from '#components/merge/merge-dialog.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatDate, formatNumber } from '#components/values/format.ts';
import { SaveChange } from '#components/actions/save-change.tsx';
import { useAccountDraft } from '#shell/account/use-account-draft.ts';
import { useAccount } from '#shell/account/use-account.ts';
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
      <QueryState query={found}>{(data) => <RetentionForm account={data} />}</QueryState>
    </Page>
  );
}

/** What the page changes. */
type RetentionDraft = WithEmpty<
  Pick<AccountDetail['settings'], (typeof fieldNames)[number]>,
  'activity_retention_months'
>;

const fieldNames = ['activity_retention_months', 'reject_forgotten_contacts'] as const;

function draftOf({ settings }: AccountDetail): RetentionDraft {
  const { activity_retention_months, reject_forgotten_contacts } = settings;
  return { activity_retention_months, reject_forgotten_contacts };
}

/** Returns the first day of which activities are kept. Whole months are deleted, in UTC. */
function firstDay(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 10);
}

function RetentionForm({ account: stored }: { readonly account: AccountDetail }): ReactNode {
  const t = useTexts('privacy');
  const common = useTexts('common');
  const { can } = useAccount();
  const [isAsking, setAsking] = useState(false);
  const isReadOnly = !can('account:write');
  const show = (value: number | boolean | null): string =>
    typeof value === 'boolean' ? common(value ? 'values.yes' : 'values.no') : formatNumber(value ?? 0);
  const fields = fieldNames.map((id) => ({
    id,
    label: t(`retention.${id}`),
    keys: [id],
    show: (one: RetentionDraft) => show(one[id]),
  }));
  const { opened, draft, set, change, conflict } = useAccountDraft(stored, draftOf, fields, (settings) => ({
    settings,
  }));
  const { activity_retention_months: months } = draft;
  // Somebody else may have changed it since the form was opened.
  const kept = Math.max(opened.settings.activity_retention_months, stored.settings.activity_retention_months);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (months !== null && months < kept) setAsking(true);
    else change.mutate();
  }
  return (
    <Paper withBorder p="md" maw={760}>
      <form onSubmit={submit}>
        <Stack>
          {isReadOnly && <Text size="sm">{common('readOnly')}</Text>}
          <WholeNumberField
            label={t('retention.activity_retention_months')}
            description={t('retention.monthsText')}
            value={months}
            onChange={(value) => set({ activity_retention_months: value })}
            min={1}
            max={600}
            required
            disabled={isReadOnly}
            maw={320}
          />
          <Switch
            label={t('retention.reject_forgotten_contacts')}
            description={t('retention.forgottenText')}
            checked={draft.reject_forgotten_contacts}
            onChange={(event) => set({ reject_forgotten_contacts: event.currentTarget.checked })}
            disabled={isReadOnly}
          />
          <SaveChange change={change} label={t('retention.save')} isReadOnly={isReadOnly} />
        </Stack>
      </form>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('retention.lower.title')}
        action={t('retention.lower.action')}
        // The form shows the progress and an error.
        onConfirm={async () => change.mutate()}
      >
        <Stack gap="xs">
          <Text size="sm">
            {t('retention.lower.text', {
              before: formatNumber(kept),
              after: formatNumber(months ?? 0),
              day: formatDate(firstDay(months ?? 0)),
            })}
          </Text>
          <Text size="sm">{t('retention.lower.effects')}</Text>
        </Stack>
      </ConfirmDialog>
      <MergeDialog conflict={conflict} />
    </Paper>
  );
}
