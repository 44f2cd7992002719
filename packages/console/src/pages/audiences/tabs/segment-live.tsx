import { Button, Group, Switch, Text } from '@mantine/core';
import type { LiveSegment, Segment, SegmentChange } from '@roster/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Activity, ArrowRightLeft } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { ContactName } from '#components/contacts/contact-name.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** How often the entries and departures are loaded again, in milliseconds. */
const refreshInterval = 5000;

/** Whether a segment is live, how it follows changes, and who enters and leaves. */
export function SegmentLive({ segment }: { readonly segment: Segment }): ReactNode {
  const t = useTexts('audiences');
  const { accountId, account, can } = useAccount();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [isSaving, setSaving] = useState(false);
  /** The control that turned it on or off is gone then. The other one gets the focus. */
  const [hasTurned, setHasTurned] = useState(false);
  const { audience_id: id, live } = segment;

  const turn = useCallback(
    async (on: boolean): Promise<void> => {
      await account.segments.update(id, { live: on });
      setHasTurned(true);
      await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'segments'] });
    },
    [account, accountId, id, queries],
  );
  async function turnOn(): Promise<void> {
    setSaving(true);
    setError(undefined);
    try {
      await turn(true);
    } catch (failure) {
      setError(failure);
    } finally {
      setSaving(false);
    }
  }

  if (live === null) {
    return (
      <>
        <ProblemAlert error={error} />
        <EmptyState
          icon={Activity}
          title={t('live.off.title')}
          text={t('live.off.text')}
          action={
            can('segments:write') && (
              <Button autoFocus={hasTurned} loading={isSaving} onClick={() => void turnOn()}>
                {t('live.off.action')}
              </Button>
            )
          }
          guide="/docs/contract/audiences#live-segments"
          curl={curlOf({
            operation: 'updateSegment',
            path: { account_id: accountId, audience_id: id },
            body: { live: true },
          })}
        />
      </>
    );
  }
  return (
    <>
      <Group gap="md" justify="space-between">
        <LiveState live={live} />
        <Group gap="xs">
          <ApiCallButton call={{ operation: 'listSegmentChanges', path: { account_id: accountId, audience_id: id } }} />
          <Switch
            autoFocus={hasTurned}
            label={t('live.switch')}
            checked
            disabled={!can('segments:write')}
            onChange={() => setAsking(true)}
          />
        </Group>
      </Group>
      <Changes audienceId={id} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('live.end.title')}
        action={t('live.end.action')}
        onConfirm={async () => turn(false)}
      >
        {t('live.end.text')}
      </ConfirmDialog>
    </>
  );
}

const colours = { filling: 'blue', following: 'green', broken: 'red' } as const;

/** The state of a live segment, how many members it has, and how far it is behind. */
function LiveState({ live }: { readonly live: LiveSegment }): ReactNode {
  const t = useTexts('audiences');
  const { state, member_count: count, lag_seconds: lag } = live;
  return (
    <Group gap="sm" aria-live="polite">
      <ColourBadge color={colours[state]}>{t(`live.states.${state}`)}</ColourBadge>
      <Text size="sm">{t('live.members', { count, formatted: formatNumber(count) })}</Text>
      <Text size="sm" c="dimmed">
        {state === 'following'
          ? lag === null || lag < 1
            ? t('live.upToDate')
            : t('live.lag', { seconds: formatNumber(Math.ceil(lag)) })
          : t(`live.explained.${state}`)}
      </Text>
    </Group>
  );
}

/** The contacts that entered and left, newest first. */
function Changes({ audienceId }: { readonly audienceId: number }): ReactNode {
  const t = useTexts('audiences');
  const access = useAccount();
  const { accountId, account } = access;
  const found = useInfiniteQuery({
    ...listingQuery<SegmentChange>(['accounts', accountId, 'segments', 'live', audienceId], ({ signal }) =>
      account.segments.changes(audienceId, { limit: 100, signal }),
    ),
    refetchInterval: refreshInterval,
  });
  const columns = useMemo(
    (): DataColumn<SegmentChange>[] => [
      {
        id: 'contact',
        label: t('live.contact'),
        width: 250,
        cell: ({ contact_id: contactId }) => <ContactName access={access} contactId={contactId} />,
      },
      {
        id: 'change',
        label: t('live.change'),
        width: 130,
        cell: ({ change }) => (
          <ColourBadge color={change === 'entered' ? 'teal' : 'orange'}>{t(`live.${change}`)}</ColourBadge>
        ),
      },
      { id: 'at', label: t('changes.at'), width: momentWidth, cell: ({ occurred_at: at }) => <DateTime value={at} /> },
      {
        id: 'cause',
        label: t('live.cause'),
        width: 320,
        grows: true,
        cell: ({ cause }) => t(`live.causes.${cause}`),
      },
    ],
    [t, access],
  );
  return (
    <DataTable
      label={t('live.title')}
      columns={columns}
      rows={useRowsOfPages<SegmentChange>(found)}
      rowId={({ contact_id: id, change, occurred_at: at }) => `${id} ${change} ${at}`}
      empty={<EmptyState icon={ArrowRightLeft} title={t('live.none')} text={t('live.noneText')} />}
    />
  );
}
