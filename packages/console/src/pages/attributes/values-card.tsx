import type { AttributeValues, OperatorAttribute } from '@roster/client';
import { Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { TextLink } from '#components/actions/links.tsx';
import { Card } from '#components/layout/card.tsx';
import { ErrorState } from '#components/states/error-state.tsx';
import { LoadingState } from '#components/states/loading-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { shareText, ValueText } from './attribute-cells.tsx';
import { useFrequentValues, useNoValues } from './registry/use-attributes.ts';

/** The most frequent values of an attribute. Each leads to the contacts that have it. */
export function ValuesCard({ attribute }: { readonly attribute: OperatorAttribute }): ReactNode {
  const t = useTexts('attributes');
  const { accountId } = useAccount();
  const { id, name, data_type: type } = attribute;
  const [text, setText] = useState('');
  const [contains] = useDebouncedValue(text.trim(), 250);
  const reason = useNoValues(attribute);
  const query = useFrequentValues(attribute, contains);
  if (reason !== undefined) {
    return (
      <Card title={t('values.title')}>
        <Text size="sm" c="dimmed">
          {t(`values.${reason}`)}
        </Text>
      </Card>
    );
  }
  return (
    <Card
      title={t('values.title')}
      controls={
        <ApiCallButton
          call={{
            operation: 'listAttributeValues',
            path: { account_id: accountId, attribute_id: id },
            query: { contains: contains === '' ? undefined : contains },
          }}
        />
      }
    >
      <TextInput
        aria-label={t('values.find')}
        placeholder={t('values.find')}
        leftSection={<Search size={14} aria-hidden />}
        maxLength={255}
        maw={320}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {query.error !== null ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <LoadingState />
      ) : (
        <ValueList name={name} type={type} found={query.data} />
      )}
    </Card>
  );
}

function ValueList({
  name,
  type,
  found: { data, contacts_with_value: contacts, distinct_values: values, estimated, sample_size: sample },
}: {
  readonly name: string;
  readonly type: OperatorAttribute['data_type'];
  readonly found: AttributeValues;
}): ReactNode {
  const t = useTexts('attributes');
  const { accountId } = useAccount();
  if (data.length === 0) return <Text size="sm">{t('values.none')}</Text>;
  const most = data[0]!.count;
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {estimated
          ? t('values.estimated', { contacts: formatNumber(contacts), sample: formatNumber(sample ?? 0) })
          : `${t('values.contacts', { count: contacts, formatted: formatNumber(contacts) })}, ${t('values.distinct', {
              count: values,
              formatted: formatNumber(values),
            })}`}
      </Text>
      <Stack gap={8} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.map(({ value, count }) => (
          <li key={String(value)}>
            <Group justify="space-between" gap="md" wrap="nowrap" fz="sm">
              <Text component="span" inherit truncate dir="auto" miw={0}>
                {String(value).trim() === '' ? (
                  <ValueText type={type} value={value} />
                ) : (
                  <TextLink
                    to="/accounts/$accountId/contacts"
                    params={{ accountId }}
                    search={{ filter: ['and', ['and', [name, 'equals', value]]] }}
                    inherit
                  >
                    <ValueText type={type} value={value} />
                  </TextLink>
                )}
              </Text>
              <Text component="span" inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {formatNumber(count)} · {shareText(contacts === 0 ? 0 : Math.min(1, count / contacts))}
              </Text>
            </Group>
            <Progress value={(100 * count) / most} size="xs" mt={2} aria-hidden />
          </li>
        ))}
      </Stack>
      {!estimated && values > data.length && (
        <Text size="xs" c="dimmed">
          {t('values.more', { count: values - data.length, formatted: formatNumber(values - data.length) })}
        </Text>
      )}
    </Stack>
  );
}
