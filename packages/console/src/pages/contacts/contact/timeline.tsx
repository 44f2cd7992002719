import { Center, Group, Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ErrorState } from '#components/states/error-state.tsx';
import { LoadingState } from '#components/states/loading-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './contact.module.css';
import { timelineFilters, type ContactSearch, type TimelineFilter } from './contact-search.ts';
import { TimelineItem } from './timeline-item.tsx';
import { useKnownRequests } from './use-known-requests.ts';

const kindsOf: Readonly<Record<TimelineFilter, string | undefined>> = {
  all: undefined,
  activity: 'activity',
  request: 'request',
  changes: 'created,request,type_changed,identity_changed,opted_out,opted_in',
};

/** What happened to a contact, newest first. Older entries are loaded when the end comes into view. */
export function Timeline({ contactId }: { readonly contactId: number }): ReactNode {
  const t = useTexts('contact');
  const { accountId, account } = useAccount();
  const { show = 'all' } = useSearch({ from: '/signed-in/accounts/$accountId/contacts/$contactId' });
  const navigate = useNavigate({ from: '/accounts/$accountId/contacts/$contactId' });
  const kinds = kindsOf[show];
  const knownOf = useKnownRequests(contactId);
  const query = useInfiniteQuery(
    listingQuery(['accounts', accountId, 'contacts', contactId, 'timeline', show], (more) =>
      account.contacts.timeline(contactId, { ...more, ...(kinds === undefined ? {} : { kinds }) }),
    ),
  );
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  const isNearEnd = entry?.isIntersecting === true;
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data } = query;
  const pages = data?.pages.length ?? 0;
  useEffect(() => {
    // A page can be empty. So this also runs when only the number of pages has changed.
    if (pages > 0 && isNearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage, pages]);
  const all = data?.pages.flatMap((page) => page.data) ?? [];
  // Of the requests, an update is a change of this contact. Others have entries of their own.
  const entries =
    show === 'changes'
      ? all.filter(({ kind, request }) => kind !== 'request' || request?.operation === 'contact.update')
      : all;
  return (
    <Stack gap="md">
      <Group>
        <SegmentedControl
          aria-label={t('timeline.filter')}
          size="xs"
          value={show}
          data={timelineFilters.map((value) => ({ value, label: t(`timeline.${value}`) }))}
          onChange={(value) =>
            void navigate({
              search: (before) => ({
                ...before,
                show: timelineFilters.find((one) => one !== 'all' && one === value) as ContactSearch['show'],
              }),
              replace: true,
            })
          }
        />
      </Group>
      {query.isPending && <LoadingState />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {data !== undefined && entries.length === 0 && !hasNextPage && (
        <Stack gap={4} py="lg" align="center">
          <Text size="sm" fw={500}>
            {t('timeline.empty')}
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            {t('timeline.emptyText')}
          </Text>
        </Stack>
      )}
      {entries.length > 0 && (
        <ol className={styles.entries} aria-label={t('tabs.timeline')}>
          {entries.map((one, index) => (
            <TimelineItem key={`${one.occurred_at} ${index}`} entry={one} known={knownOf(one.request?.request_id)} />
          ))}
        </ol>
      )}
      <Center ref={ref} mih={20} role="status">
        {isFetchingNextPage ? (
          <Group gap="xs">
            <Loader size={12} aria-hidden />
            <Text size="xs" c="dimmed">
              {t('timeline.loading')}
            </Text>
          </Group>
        ) : (
          entries.length > 0 &&
          !hasNextPage && (
            <Text size="xs" c="dimmed">
              {t('timeline.end')}
            </Text>
          )
        )}
      </Center>
    </Stack>
  );
}
