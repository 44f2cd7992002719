import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { formatNumber } from '#components/values/format.ts';
import type { FilterModel } from '#components/filter/model/filter.ts';
import { toAddress } from '#components/filter/model/filter-address.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from './access.ts';
import { countContacts } from './contact-search.ts';
import styles from './contacts.module.css';

/** Counts the contacts that match a filter. A new filter cancels the count of the old one. */
export function useContactCount(access: Access, filter: FilterModel) {
  return useQuery({
    queryKey: ['accounts', access.accountId, 'contacts', 'count', toAddress(filter) ?? null],
    queryFn: ({ signal }) => countContacts(access, filter, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** The exact number of contacts that match a filter. */
export function LiveCount({
  count: { data, error, isPlaceholderData },
}: {
  readonly count: ReturnType<typeof useContactCount>;
}): ReactNode {
  const t = useTexts('filter');
  const isOld = isPlaceholderData || data === undefined;
  const text =
    error !== null
      ? t(problemOf(error).kind === 'slow' ? 'count.slow' : 'count.failed')
      : data === undefined
        ? t('count.counting')
        : t('count.contacts', { count: data, formatted: formatNumber(data) });
  return (
    <Text
      component="span"
      size="sm"
      fw={600}
      role="status"
      className={styles.count}
      data-old={(isOld && error === null) || undefined}
    >
      {text}
    </Text>
  );
}
