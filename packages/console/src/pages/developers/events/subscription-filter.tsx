import type { EventSubscription } from '@roster/client';
import { Alert, Group, Input, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { ContactSources } from '#components/contacts/contact-sources.tsx';
import { FilterText } from '#components/contacts/filter-text.tsx';
import { LiveCount, useContactCount } from '#components/contacts/live-count.tsx';
import { FilterBuilder } from '#components/filter/filter-builder.tsx';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { findField } from '#components/filter/model/fields.ts';
import { countIncomplete, fromSearchFilter, noFilter, type FilterModel } from '#components/filter/model/filter.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

type Filter = NonNullable<EventSubscription['filter']>;

/** What the API shows instead of values that the person may not see. */
const hidden = '****';

/**
 * The filter of a subscription, in the builder. A filter with values that are hidden from the person
 * cannot be sent back, so it is only shown.
 */
export function SubscriptionFilter({
  filter,
  draft,
  onChange,
}: {
  /** The stored filter. */
  readonly filter: Filter | null;
  /** Undefined until the person has changed the filter. */
  readonly draft: FilterModel | undefined;
  readonly onChange: (draft: FilterModel) => void;
}): ReactNode {
  const t = useTexts('developers');
  const access = useAccount();
  return (
    <Input.Wrapper
      label={t('subscriptions.filter')}
      description={t('subscriptions.filterText')}
      labelElement="div"
      role="group"
      aria-label={t('subscriptions.filter')}
    >
      <Stack gap="xs" mt={6}>
        {filter !== null && hasHiddenValues(filter) ? (
          <>
            <FilterText access={access} filter={filter} />
            <Alert color="gray">{t('subscriptions.filterMasked')}</Alert>
          </>
        ) : (
          <ContactSources access={access} loading={<Skeleton h={64} />}>
            <Builder filter={filter} draft={draft} onChange={onChange} />
          </ContactSources>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function Builder({ filter, draft, onChange }: Parameters<typeof SubscriptionFilter>[0]): ReactNode {
  const t = useTexts('developers');
  const access = useAccount();
  const { fields } = useFilterSources();
  const stored = useMemo(
    () => (filter === null ? noFilter : fromSearchFilter(filter, (name) => findField(fields, name)?.name ?? name)),
    [filter, fields],
  );
  const shown = draft ?? stored;
  const [counted, setCounted] = useState(stored);
  if (countIncomplete(shown) === 0 && counted !== shown) setCounted(shown);
  const count = useContactCount(access, counted);
  return (
    <>
      <Paper withBorder p="sm" radius="md">
        <FilterBuilder filter={shown} onChange={onChange} />
      </Paper>
      <Group gap={6}>
        <Text size="sm" c="dimmed">
          {t('subscriptions.matching')}
        </Text>
        <LiveCount count={count} />
      </Group>
    </>
  );
}

function hasHiddenValues({ filtering_criteria: groups = [] }: Filter): boolean {
  return groups.some(({ condition_details: conditions }) =>
    conditions.some(({ value }) => [value].flat().includes(hidden)),
  );
}
