import type { AccountDetail, UpdateAccountBody } from '@roster/client';
import { Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { sessionQuery } from '#api/session.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { WholeNumberField, type WithEmpty } from '#components/inputs/whole-number-field.tsx';
import { Page } from '#components/layout/page.tsx';
import { MergeDialog } from '#components/merge/merge-dialog.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { TimeZoneSelect } from '#components/values/time-zone-select.tsx';
import { SaveChange } from '#components/actions/save-change.tsx';
import { useAccountDraft } from '#shell/account/use-account-draft.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useUnsavedChanges } from '#components/actions/use-unsaved-changes.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DerivedAttributes } from './derived-attributes.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { SettingsHeader } from './settings-section.tsx';
import { StoredFiles } from './stored-files.tsx';

/** The account: name, time zone, primary key, settings, and its deletion. */
export function AccountSettingsPage(): ReactNode {
  const t = useTexts('settings');
  const { accountId, account, can } = useAccount();
  const found = useQuery({
    queryKey: ['accounts', accountId, 'account'],
    queryFn: ({ signal }) => account.get({ signal }),
  });
  return (
    <Page>
      <SettingsHeader title={t('account.title')} text={t('account.text')}>
        <ApiCallButton call={{ operation: 'getAccount', path: { account_id: accountId } }} />
      </SettingsHeader>
      <QueryState query={found}>
        {(data) => (
          <Stack gap="lg" maw={760}>
            <AccountForm account={data} />
            <StoredFiles files={data.stored_files} />
            {can('attributes:read') && <DerivedAttributes />}
            {can('account:delete') && <DeleteAccount accountId={accountId} name={data.name} />}
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

const switches = [
  'reject_existing_contacts',
  'reject_forgotten_contacts',
  'auto_create_attributes',
  'csv_formula_guard',
  'events',
] as const;

/** The fields of the account, in the order of the form. */
const fieldNames = [
  'name',
  'time_zone',
  'primary_key',
  ...switches,
  'event_retention_days',
  'buckets',
  'rate_limit',
  'daily_batch_limit',
] as const;

/** The account while a person changes it. */
type AccountDraft = Pick<AccountDetail, 'name' | 'time_zone' | 'primary_key'> &
  Pick<AccountDetail['settings'], (typeof switches)[number] | 'buckets' | 'rate_limit'> &
  WithEmpty<Pick<AccountDetail['settings'], RequiredNumber>, RequiredNumber>;

type RequiredNumber = 'event_retention_days' | 'daily_batch_limit';

function draftOf({ name, time_zone, primary_key, settings }: AccountDetail): AccountDraft {
  return { name, time_zone, primary_key, ...settings };
}

/** Returns the body of a change. The primary key is sent only if it changes, because that needs more. */
function bodyOf({ name, time_zone, primary_key, ...settings }: AccountDraft, base: AccountDetail): UpdateAccountBody {
  return {
    name,
    time_zone,
    ...(primary_key !== base.primary_key && { primary_key }),
    settings,
  };
}

function AccountForm({ account: stored }: { readonly account: AccountDetail }): ReactNode {
  const t = useTexts('settings');
  const common = useTexts('common');
  const { can } = useAccount();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const isReadOnly = !can('account:write');
  const textOf = (value: AccountDraft[keyof AccountDraft]): string =>
    typeof value === 'boolean' ? t(value ? 'account.on' : 'account.off') : String(value ?? t('account.none'));
  const fields = fieldNames.map((id) => ({
    id,
    label: t(`account.${id}`),
    keys: [id],
    show: (one: AccountDraft) => textOf(one[id]),
  }));
  const { opened, draft, set, change, conflict } = useAccountDraft(stored, draftOf, fields, bodyOf, () => {
    // The frame has the name of the account from here.
    void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    void cache.invalidateQueries({ queryKey: ['accounts', 'all'] });
  });
  useUnsavedChanges(JSON.stringify(draft) !== JSON.stringify(draftOf(opened)));
  const { event_retention_days: days } = draft;
  // Somebody else may have changed it since the form was opened.
  const kept = Math.max(opened.settings.event_retention_days, stored.settings.event_retention_days);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (days !== null && days < kept) setAsking(true);
    else change.mutate();
  }
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="lg">
          {isReadOnly && <Text size="sm">{common('readOnly')}</Text>}
          <Paper withBorder p="md">
            <Stack>
              <TextInput
                label={t('account.name')}
                value={draft.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                required
                maxLength={255}
                disabled={isReadOnly}
              />
              <TimeZoneSelect
                label={t('account.time_zone')}
                description={t('account.timeZoneText')}
                value={draft.time_zone}
                onChange={(zone) => set({ time_zone: zone })}
                disabled={isReadOnly}
              />
              <TextInput
                label={t('account.primary_key')}
                description={t('account.primaryKeyText')}
                value={draft.primary_key}
                onChange={(event) => set({ primary_key: event.currentTarget.value })}
                required
                disabled={isReadOnly}
              />
            </Stack>
          </Paper>
          <Paper withBorder p="md">
            <Stack>
              <Title order={2} size="h5">
                {t('account.settings')}
              </Title>
              {switches.map((setting) => (
                <Switch
                  key={setting}
                  label={t(`account.${setting}`)}
                  description={t(`account.${setting}_text`)}
                  checked={draft[setting]}
                  onChange={(event) => set({ [setting]: event.currentTarget.checked })}
                  disabled={isReadOnly}
                />
              ))}
              <WholeNumberField
                label={t('account.event_retention_days')}
                value={days}
                onChange={(value) => set({ event_retention_days: value })}
                min={1}
                max={90}
                required
                disabled={isReadOnly}
                maw={320}
              />
              <Switch
                label={t('account.buckets')}
                description={t('account.buckets_text')}
                checked={draft.buckets > 1}
                onChange={(event) => set({ buckets: event.currentTarget.checked ? 16 : 1 })}
                disabled={isReadOnly}
              />
              <WholeNumberField
                label={t('account.rate_limit')}
                description={t('account.rate_limit_text')}
                value={draft.rate_limit}
                onChange={(value) => set({ rate_limit: value })}
                min={0}
                max={100_000_000}
                disabled={isReadOnly}
                maw={320}
              />
              <WholeNumberField
                label={t('account.daily_batch_limit')}
                description={t('account.daily_batch_limit_text')}
                value={draft.daily_batch_limit}
                onChange={(value) => set({ daily_batch_limit: value })}
                min={0}
                max={100_000_000}
                required
                disabled={isReadOnly}
                maw={320}
              />
            </Stack>
          </Paper>
          <SaveChange change={change} label={t('account.save')} isReadOnly={isReadOnly} />
        </Stack>
        <MergeDialog conflict={conflict} />
      </form>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('account.lowerEvents.title')}
        action={t('account.lowerEvents.action')}
        // The form shows the progress and an error.
        onConfirm={async () => change.mutate()}
      >
        {t('account.lowerEvents.text', {
          count: days ?? 0,
          before: formatNumber(kept),
          after: formatNumber(days ?? 0),
        })}
      </ConfirmDialog>
    </>
  );
}
