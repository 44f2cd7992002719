import type { AccountDetail } from '@roster/client';
import { Alert, Button, Group, NumberInput, Paper, Select, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DeleteAccount } from './delete-account.tsx';
import { SettingsHeader } from './settings-section.tsx';

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
            <AccountForm key={data.updated_at} account={data} />
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
] as const;

function AccountForm({ account: stored }: { readonly account: AccountDetail }): ReactNode {
  const t = useTexts('settings');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const [name, setName] = useState(stored.name);
  const [timeZone, setTimeZone] = useState(stored.time_zone);
  const [primaryKey, setPrimaryKey] = useState(stored.primary_key);
  const [settings, setSettings] = useState(stored.settings);
  const isReadOnly = !can('account:write');
  const change = useMutation({
    mutationFn: () => {
      const { rate_limit: rateLimit, ...others } = settings;
      return account.update({
        name,
        time_zone: timeZone,
        ...(primaryKey !== stored.primary_key && { primary_key: primaryKey }),
        settings: { ...others, rate_limit: rateLimit },
      });
    },
    onSuccess: (changed) => cache.setQueryData(['accounts', accountId, 'account'], changed),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate();
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Paper withBorder p="md">
          <Stack>
            <TextInput
              label={t('account.name')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              required
              maxLength={255}
              disabled={isReadOnly}
            />
            <Select
              label={t('account.timeZone')}
              description={t('account.timeZoneText')}
              value={timeZone}
              onChange={(value) => setTimeZone(value ?? timeZone)}
              data={timeZones(stored.time_zone)}
              searchable
              allowDeselect={false}
              limit={100}
              disabled={isReadOnly}
            />
            <TextInput
              label={t('account.primaryKey')}
              description={t('account.primaryKeyText')}
              value={primaryKey}
              onChange={(event) => setPrimaryKey(event.currentTarget.value)}
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
                checked={settings[setting]}
                onChange={(event) => setSettings({ ...settings, [setting]: event.currentTarget.checked })}
                disabled={isReadOnly}
              />
            ))}
            <NumberInput
              label={t('account.rate_limit')}
              description={t('account.rate_limit_text')}
              value={settings.rate_limit ?? ''}
              onChange={(value) => setSettings({ ...settings, rate_limit: value === '' ? null : Number(value) })}
              min={0}
              allowDecimal={false}
              disabled={isReadOnly}
              maw={320}
            />
            <NumberInput
              label={t('account.daily_batch_limit')}
              description={t('account.daily_batch_limit_text')}
              value={settings.daily_batch_limit}
              onChange={(value) => setSettings({ ...settings, daily_batch_limit: Number(value) })}
              min={0}
              allowDecimal={false}
              required
              disabled={isReadOnly}
              maw={320}
            />
          </Stack>
        </Paper>
        {change.error !== null && (
          <Alert color="red" role="alert">
            {problemOf(change.error).message ?? common(`errors.${problemOf(change.error).kind}.text`)}
          </Alert>
        )}
        {change.isSuccess && (
          <Alert color="green" role="status">
            {common('errors.saved')}
          </Alert>
        )}
        {!isReadOnly && (
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              {t('account.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** Returns the names of all time zones that the browser knows, and the present one. */
function timeZones(present: string): string[] {
  return [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
