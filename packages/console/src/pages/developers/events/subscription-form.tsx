import type { EventSubscription } from '@roster/client';
import { Alert, Button, Group, MultiSelect, Select, Stack, Switch, TextInput, type ComboboxItem } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton } from '#components/actions/dialog.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { countIncomplete, toSearchFilter, type FilterModel } from '#components/filter/model/filter.ts';
import { WholeNumberField } from '#components/inputs/whole-number-field.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { toHeaders, type HeaderDraft } from './header-draft.ts';
import { KindName, useKindWords } from './kind-name.tsx';
import { eventKinds, type EventKind } from './kinds.ts';
import { NoEventsAlert, useHasNoEvents } from './no-events-alert.tsx';
import { SubscriptionFilter } from './subscription-filter.tsx';
import { SubscriptionHeaders } from './subscription-headers.tsx';

/** Fields of contacts that events can have besides attributes. */
const fixedFields = ['EMAIL', 'MOBILE', 'IDENTITY', 'CONTACT_TYPE', 'CREATED_AT', 'UPDATED_AT', 'LIST_ID'];
const maxAttributes = 500;
const maxEvents = 1000;

/** Creates or changes a subscription. A new one shows its secret once. */
export function SubscriptionForm({
  subscription,
  onCreated,
}: {
  /** Absent: a new subscription. */
  readonly subscription?: EventSubscription | undefined;
  /** Called when the person has seen the secret of the new subscription. */
  readonly onCreated?: (subscriptionId: string) => void;
}): ReactNode {
  const t = useTexts('developers');
  const words = useKindWords();
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  // The page reads the subscription again and again. A change of somebody else since the form was
  // opened must be refused.
  const [version] = useState(subscription?.version);
  const [kinds, setKinds] = useState<readonly string[]>(subscription?.kinds ?? []);
  const [fields, setFields] = useState<readonly string[]>(subscription?.fields ?? []);
  /** Undefined until the person has changed the filter. */
  const [filter, setFilter] = useState<FilterModel>();
  /** Undefined until the person adds headers, or replaces the stored ones. */
  const [headers, setHeaders] = useState<readonly HeaderDraft[]>();
  const [unmasked, setUnmasked] = useState(subscription?.unmasked ?? false);
  const [whenFailed, setWhenFailed] = useState<EventSubscription['when_failed']>(subscription?.when_failed ?? 'pause');
  const [perDelivery, setPerDelivery] = useState<number | null>(subscription?.max_events ?? 250);
  const [fromStart, setFromStart] = useState(false);
  /** Whether a text field was changed. */
  const [isTyped, setTyped] = useState(false);
  const hasNoEvents = useHasNoEvents() && subscription === undefined;
  const isChanged =
    isTyped ||
    kinds.join() !== (subscription?.kinds ?? []).join() ||
    fields.join() !== (subscription?.fields ?? []).join() ||
    filter !== undefined ||
    headers !== undefined ||
    unmasked !== (subscription?.unmasked ?? false) ||
    whenFailed !== (subscription?.when_failed ?? 'pause') ||
    perDelivery !== (subscription?.max_events ?? 250) ||
    fromStart;
  const { data: names = [] } = useQuery({
    queryKey: ['accounts', accountId, 'attributes', 'in-events'],
    queryFn: async ({ signal }) =>
      (await account.attributes.list({ signal, limit: maxAttributes }).take(maxAttributes))
        .filter((attribute) => attribute.data_type !== 'long_text')
        .map((attribute) => attribute.name),
    enabled: can('attributes:read'),
    staleTime: 60_000,
  });
  const { data: derived = [] } = useQuery({
    queryKey: ['accounts', accountId, 'derived-attributes'],
    queryFn: ({ signal }) => account.activities.derived({ signal }),
    select: ({ state, attributes }) =>
      state === 'ready' || state === 'rebuilding' ? attributes.map((attribute) => attribute.name) : [],
    enabled: can('activity:read') && can('attributes:read'),
    staleTime: 60_000,
  });
  const saving = useMutation({
    mutationFn: async (form: FormData) => {
      const body = {
        name: form.get('name') as string,
        url: form.get('url') as string,
        fields: [...fields],
        unmasked,
        when_failed: whenFailed,
        // A form that is sent has it.
        max_events: perDelivery!,
        ...(headers === undefined ? {} : { headers: toHeaders(headers) }),
      };
      const chosen = kinds.length === 0 ? undefined : (kinds as EventKind[]);
      if (subscription !== undefined) {
        await account.eventSubscriptions.update(
          subscription.subscription_id,
          {
            ...body,
            kinds: chosen ?? null,
            ...(filter === undefined ? {} : { filter: filter.groups.length === 0 ? null : toSearchFilter(filter) }),
          },
          version === undefined ? {} : { version },
        );
        return undefined;
      }
      const after = fromStart ? await oldestPosition() : undefined;
      return account.eventSubscriptions.create({
        ...body,
        ...(chosen === undefined ? {} : { kinds: chosen }),
        ...(filter === undefined || filter.groups.length === 0 ? {} : { filter: toSearchFilter(filter) }),
        ...(after === undefined ? {} : { after }),
      });
    },
    async onSuccess(made) {
      await cache.invalidateQueries({ queryKey: ['accounts', accountId, 'event-subscriptions'] });
      if (made === undefined) dialog.closeDone();
    },
  });

  const isMade = saving.data !== undefined;
  const dialog = useDialog({
    isRunning: saving.isPending,
    hasEntries: isChanged && !saving.isSuccess,
    isShownOnce: isMade,
  });

  /** The feed without a position begins at the oldest event that is kept. */
  async function oldestPosition(): Promise<number | undefined> {
    const { data } = await account.events.read({ limit: 1 });
    return data[0] === undefined ? undefined : data[0].position - 1;
  }

  if (saving.data !== undefined) {
    const { secret, subscription_id: id } = saving.data;
    return (
      <Stack>
        <Alert color="green" title={t('subscriptions.createdTitle')}>
          {t('subscriptions.createdText')}
        </Alert>
        <CodeBlock code={secret} isResult />
        <Group justify="flex-end">
          <Button onClick={() => dialog.closeDone(() => onCreated?.(id))}>{t('subscriptions.open')}</Button>
        </Group>
      </Stack>
    );
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    saving.mutate(new FormData(event.currentTarget));
  }

  return (
    <form onSubmit={submit} onInput={() => setTyped(true)}>
      <Stack>
        {subscription === undefined && <NoEventsAlert />}
        <TextInput
          name="name"
          label={t('subscriptions.name')}
          required
          maxLength={255}
          defaultValue={subscription?.name}
          data-autofocus
        />
        <TextInput
          name="url"
          type="url"
          label={t('subscriptions.url')}
          description={t('subscriptions.urlText')}
          required
          maxLength={2000}
          defaultValue={subscription?.url}
        />
        <SubscriptionHeaders
          stored={subscription?.header_names ?? []}
          drafts={headers}
          faults={saving.error === null ? [] : problemOf(saving.error).faults}
          onChange={(next) => {
            setHeaders(next);
            // The faults name headers by their place, which may be another one now.
            if (saving.isError) saving.reset();
          }}
        />
        <MultiSelect
          label={t('subscriptions.kinds')}
          description={t('subscriptions.kindsText')}
          placeholder={kinds.length === 0 ? t('subscriptions.allKinds') : ''}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('subscriptions.clear') }}
          value={[...kinds]}
          onChange={setKinds}
          data={eventKinds.map((value) => ({ value, label: words(value) }))}
          renderOption={({ option }) => <KindName kind={option.value} />}
          filter={({ options, search }) => options.filter((option) => isFound(option as ComboboxItem, search))}
        />
        <SubscriptionFilter filter={subscription?.filter ?? null} draft={filter} onChange={setFilter} />
        <MultiSelect
          label={t('subscriptions.fields')}
          description={t('subscriptions.fieldsText')}
          placeholder={fields.length === 0 ? t('subscriptions.noFields') : ''}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('subscriptions.clear') }}
          value={[...fields]}
          onChange={setFields}
          data={[...new Set([...fixedFields, ...names, ...derived, ...fields])]}
        />
        {(can('unmasked') || unmasked) && (
          <Switch
            label={t('subscriptions.unmasked')}
            description={t('subscriptions.unmaskedText')}
            checked={unmasked}
            onChange={(event) => setUnmasked(event.currentTarget.checked)}
          />
        )}
        <Select
          label={t('subscriptions.whenFailed')}
          allowDeselect={false}
          value={whenFailed}
          onChange={(value) => setWhenFailed(value === 'continue' ? 'continue' : 'pause')}
          data={(['pause', 'continue'] as const).map((value) => ({
            value,
            label: t(`subscriptions.policies.${value}`),
          }))}
        />
        <WholeNumberField
          label={t('subscriptions.maxEvents')}
          min={1}
          max={maxEvents}
          required
          hideControls
          value={perDelivery}
          onChange={setPerDelivery}
        />
        {subscription === undefined && (
          <Switch
            label={t('subscriptions.fromStart')}
            description={t('subscriptions.fromStartText')}
            checked={fromStart}
            onChange={(event) => setFromStart(event.currentTarget.checked)}
          />
        )}
        <ProblemAlert error={saving.error} />
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button
            type="submit"
            loading={saving.isPending}
            disabled={hasNoEvents || (filter !== undefined && countIncomplete(filter) > 0)}
          >
            {t(subscription === undefined ? 'subscriptions.create' : 'subscriptions.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Finds kinds by their words, and by what programs get. */
function isFound({ label, value }: ComboboxItem, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return label.toLowerCase().includes(wanted) || value.includes(wanted);
}
