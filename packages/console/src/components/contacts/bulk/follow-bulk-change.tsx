import { notifications } from '@mantine/notifications';
import type { BulkChange } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { reloadContactData } from '#api/contact-data.ts';
import { useLinkMessage } from '#components/actions/link-message.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { translateReason } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from '../access.ts';

/**
 * Returns a function that shows the progress of a bulk change until it ends, on any page. Then all
 * shown data about contacts is loaded again. Leaving the page stops nothing.
 */
export function useFollowBulkChange({ account, accountId }: Access): (created: BulkChange) => Promise<void> {
  const t = useTexts('filter');
  const problemText = useProblemText();
  const queries = useQueryClient();
  const linkMessage = useLinkMessage();
  return async (created) => {
    const id = `bulk-change-${created.bulk_change_id}`;
    const to = `/accounts/${accountId}/contacts/bulk-changes/${created.bulk_change_id}`;
    const running = { id, title: t('bulk.started'), loading: true, autoClose: false };
    notifications.show({ ...running, message: progressText(created, t) });
    try {
      const ended = await account.bulkChanges.wait(created.bulk_change_id, {
        onProgress: (change) => notifications.update({ ...running, message: progressText(change, t) }),
      });
      const isGood = ended.status === 'completed' && ended.counts.failed === 0;
      const text = ended.failure === null ? resultText(ended, t) : await translateReason(ended.failure.message);
      notifications.update({
        ...linkMessage({
          id,
          title: t(ended.status === 'completed' ? 'bulk.finished' : 'bulk.stopped'),
          text,
          label: t(ended.counts.failed > 0 ? 'bulk.showFailures' : 'bulk.show'),
          to,
        }),
        color: isGood ? 'green' : 'red',
        loading: false,
        // A failure stays until the person has seen it.
        autoClose: isGood ? 6000 : false,
      });
    } catch (error) {
      notifications.update({
        ...linkMessage({ id, title: t('bulk.unknown'), text: problemText(error), label: t('bulk.show'), to }),
        color: 'yellow',
        loading: false,
        autoClose: false,
      });
    }
    await reloadContactData(queries, accountId);
  };
}

function progressText(
  { progress: { done, total }, expected_count: expected }: BulkChange,
  t: TFunction<'filter'>,
): string {
  const count = total ?? expected;
  return t('bulk.running', { count, done: formatNumber(done), total: formatNumber(count) });
}

function resultText({ counts: { changed, unchanged, failed } }: BulkChange, t: TFunction<'filter'>): string {
  return t('bulk.result', {
    changed: formatNumber(changed),
    unchanged: formatNumber(unchanged),
    failed: formatNumber(failed),
  });
}
