import type { AttributeValues, OperatorAttribute } from '@roster/client';
import { Badge, Progress, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { ErrorState } from '#components/states/error-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** How often the state of an index is asked for while it is built, in milliseconds. */
const buildingInterval = 2000;

/** The page /attributes/$attributeId: one attribute, its index, and its most frequent values. */
export function AttributePage(): ReactNode {
  const t = useTexts('attributes');
  const { accountId, account } = useAccount();
  const { attributeId } = useParams({ from: '/signed-in/accounts/$accountId/attributes/$attributeId' });
  const id = Number(attributeId);
  const query = useQuery({
    queryKey: ['accounts', accountId, 'attributes', id],
    queryFn: ({ signal }) => account.attributes.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.index_status === 'building' ? buildingInterval : false),
  });
  return (
    <Page width="text">
      <PageHeader
        title={query.data?.name ?? t('title')}
        above={[{ label: t('title'), to: `/accounts/${accountId}/attributes` }]}
        badge={query.data?.system === true ? <Badge variant="default">{t('system')}</Badge> : undefined}
      >
        <ApiCallButton
          call={{ operation: 'getAttribute', path: { account_id: accountId, attribute_id: attributeId } }}
        />
      </PageHeader>
      <QueryState query={query}>
        {(attribute) => (
          <Stack gap="xl">
            <KeyValues
              entries={[
                [t('columns.type'), t(`types.${attribute.data_type}`)],
                [t('columns.default'), attribute.default_value === null ? null : String(attribute.default_value)],
                [t('columns.mapping'), attribute.mapping],
                [t('columns.masking'), t(`masks.${attribute.data_masking}`)],
              ]}
            />
            <Index attribute={attribute} />
            <Values attribute={attribute} />
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function Index({ attribute }: { readonly attribute: OperatorAttribute }): ReactNode {
  const t = useTexts('attributes');
  const { accountId, account, can } = useAccount();
  const client = useQueryClient();
  const { id, index_status: status } = attribute;
  const change = useMutation({
    mutationFn: (indexed: boolean) => account.attributes.index(id, indexed),
    onSuccess: (after) => client.setQueryData(['accounts', accountId, 'attributes', id], after),
  });
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('columns.index')}
      </Title>
      <Switch
        label={t('index.wanted')}
        description={t('index.explanation')}
        checked={attribute.indexed}
        disabled={!can('attributes:write') || attribute.data_type === 'long_text' || change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {status === 'building' && <Progress value={100} animated striped size="sm" aria-label={t('index.building')} />}
      <Text size="sm" role="status">
        {t(`index.${status}`)}
      </Text>
      {change.error !== null && (
        <Text size="sm" role="alert">
          {problemOf(change.error).message ?? problemOf(change.error).kind}
        </Text>
      )}
    </Stack>
  );
}

function Values({ attribute: { id, data_type: type } }: { readonly attribute: OperatorAttribute }): ReactNode {
  const t = useTexts('attributes');
  const { accountId, account, can } = useAccount();
  const [text, setText] = useState('');
  const [contains] = useDebouncedValue(text.trim(), 250);
  const isPossible = type !== 'long_text' && can('contacts:read');
  const query = useQuery({
    queryKey: ['accounts', accountId, 'attributes', id, 'values', contains],
    queryFn: ({ signal }) => account.attributes.values(id, { signal, ...(contains === '' ? {} : { contains }) }),
    enabled: isPossible,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!isPossible) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('values.title')}
      </Title>
      {query.error === null ? (
        <>
          <TextInput
            aria-label={t('values.find')}
            placeholder={t('values.find')}
            leftSection={<Search size={14} aria-hidden />}
            maw={320}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {query.data !== undefined && <ValueList found={query.data} />}
        </>
      ) : (
        <ErrorState error={query.error} />
      )}
    </Stack>
  );
}

function ValueList({ found }: { readonly found: AttributeValues }): ReactNode {
  const t = useTexts('attributes');
  const most = found.data[0]?.count ?? 1;
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed">
        {t(found.estimated ? 'values.estimated' : 'values.exact', {
          contacts: formatNumber(found.contacts_with_value),
          values: formatNumber(found.distinct_values),
          sample: formatNumber(found.sample_size ?? 0),
        })}
      </Text>
      {found.data.length === 0 && <Text size="sm">{t('values.none')}</Text>}
      {found.data.map(({ value, count }) => (
        <div key={String(value)}>
          <Text size="sm" dir="auto" style={{ display: 'flex', justifyContent: 'space-between', gap: 12 }}>
            <Text component="span" inherit truncate>
              {String(value)}
            </Text>
            <Text component="span" inherit c="dimmed">
              {formatNumber(count)}
            </Text>
          </Text>
          <Progress value={(100 * count) / most} size="xs" aria-hidden />
        </div>
      ))}
    </Stack>
  );
}
