import { notifications } from '@mantine/notifications';
import type { RunningWork } from '@roster/client';
import { useCallback } from 'react';
import { useLinkMessage } from '#components/actions/link-message.tsx';
import { takeUnseenEnd } from '#components/work/own-work.ts';
import { useTexts } from '#texts/use-texts.ts';
import { pathOf, titleOf } from './work-text.ts';

/** Returns a function that tells the person that work has ended which they started and no longer see. */
export function useEndedWorkMessage(): (accountId: number, work: RunningWork) => void {
  const t = useTexts('shell');
  const linkMessage = useLinkMessage();
  return useCallback(
    (accountId, work) => {
      const { kind, id, status, rows_failed: failed } = work;
      if (status === 'waiting' || status === 'running' || !takeUnseenEnd(work)) return;
      const isGood = status === 'completed' && failed === 0;
      const failures = failed === 0 ? [] : [t('tray.failures', { count: failed })];
      notifications.show({
        ...linkMessage({
          id: `work-${kind}-${id}`,
          title: t(`tray.ended.${status}`, { kind: t(`tray.kind.${kind}`) }),
          text: [titleOf(work, t), ...failures].join(' · '),
          label: t('tray.show'),
          to: `/accounts/${accountId}${pathOf(work)}`,
        }),
        color: isGood ? 'green' : status === 'completed' ? 'yellow' : 'red',
        // A failure stays until the person has seen it.
        ...(!isGood && { autoClose: false }),
      });
    },
    [t, linkMessage],
  );
}
