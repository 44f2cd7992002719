import { Anchor, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { BulkChange } from '@roster/client';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from '../access.ts';

/** Milliseconds between two looks at the progress. */
const interval = 700;

/**
 * Returns a function that shows the progress of a bulk change until it ends, on any page. Then all
 * shown data about contacts is loaded again. Leaving the page stops nothing.
 */
export function useFollowBulkChange({ account, accountId }: Access): (created: BulkChange) => void {
  const t = useTexts('filter');
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (created) => {
    const onShow = (): void =>
      void navigate({
        to: '/accounts/$accountId/contacts/bulk-changes/$bulkChangeId',
        params: { accountId, bulkChangeId: created.bulk_change_id },
      });
    follow(account, accountId, created, queries, t, onShow);
  };
}

function follow(
  account: Access['account'],
  accountId: number,
  created: BulkChange,
  queries: QueryClient,
  t: TFunction<'filter'>,
  onShow: () => void,
): void {
  const id = `bulk-change-${created.bulk_change_id}`;
  notifications.show({
    id,
    title: t('bulk.started'),
    message: progressText(created, t),
    loading: true,
    autoClose: false,
  });
  const look = async (): Promise<void> => {
    const change = await account.bulkChanges.get(created.bulk_change_id).catch(() => undefined);
    if (change === undefined || change.status === 'accepted' || change.status === 'running') {
      if (change !== undefined) {
        notifications.update({
          id,
          title: t('bulk.started'),
          message: progressText(change, t),
          loading: true,
          autoClose: false,
        });
      }
      setTimeout(() => void look(), interval);
      return;
    }
    const isCompleted = change.status === 'completed';
    const { changed, unchanged, failed } = change.counts;
    notifications.update({
      id,
      title: t(isCompleted ? 'bulk.finished' : 'bulk.stopped'),
      message: (
        <Stack gap={4} align="flex-start">
          <Text inherit>
            {change.failure?.message ??
              t('bulk.result', {
                changed: formatNumber(changed),
                unchanged: formatNumber(unchanged),
                failed: formatNumber(failed),
              })}
          </Text>
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              notifications.hide(id);
              onShow();
            }}
          >
            {t(failed > 0 ? 'bulk.showFailures' : 'bulk.show')}
          </Anchor>
        </Stack>
      ),
      color: isCompleted && failed === 0 ? 'green' : 'red',
      loading: false,
      // A failure stays until the person has seen it.
      autoClose: isCompleted && failed === 0 ? 6000 : false,
    });
    await Promise.all(
      ['contacts', 'lists', 'segments', 'attributes'].map((kind) =>
        queries.invalidateQueries({ queryKey: ['accounts', accountId, kind] }),
      ),
    );
  };
  setTimeout(() => void look(), interval);
}

function progressText(
  { progress: { done, total }, expected_count: expected }: BulkChange,
  t: TFunction<'filter'>,
): string {
  return t('bulk.running', { done: formatNumber(done), total: formatNumber(total ?? expected) });
}
