import { Group, Skeleton, Text, Tooltip } from '@mantine/core';
import type { AudienceUse, List, Segment } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { formatNumber } from '#components/values/format.ts';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { fewAtATime } from './few-at-a-time.ts';
import { useListGrowth } from './tabs/use-list-growth.ts';
import { useSegmentGrowth } from './tabs/use-segment-growth.ts';

/** Counting a segment can take seconds. More counts at a time would delay other searches. */
const inTurn = fewAtATime(2);

/** The mark of a live segment. */
export function LiveBadge({ live }: { readonly live: NonNullable<Segment['live']> }): ReactNode {
  const t = useTexts('audiences');
  return <ColourBadge color={live.state === 'broken' ? 'red' : 'teal'}>{t('live.badge')}</ColourBadge>;
}

/** Counts the contacts of a segment now. */
function useSegmentCount(audienceId: number) {
  const { accountId, account } = useAccount();
  return useQuery({
    queryKey: ['accounts', accountId, 'segments', 'count', audienceId],
    queryFn: ({ signal }) => inTurn(() => account.segments.count(audienceId, { signal }), signal),
    staleTime: 60_000,
  });
}

/** The number of contacts of a segment now. */
export function SegmentCount({ audienceId }: { readonly audienceId: number }): ReactNode {
  const t = useTexts('audiences');
  const { data, error } = useSegmentCount(audienceId);
  if (data !== undefined) return formatNumber(data);
  if (error === null) return <Skeleton height={10} width={48} ml="auto" />;
  const { kind, message } = problemOf(error);
  return (
    <Tooltip label={message} disabled={message === undefined} multiline maw={320}>
      <Text component="span" inherit c="dimmed">
        {t(kind === 'slow' ? 'count.slow' : kind === 'conflict' ? 'count.broken' : 'count.failed')}
      </Text>
    </Tooltip>
  );
}

/** Days of the growth in the tables. */
const growthDays = 30;

/** How many contacts joined and left a list in the last days. */
export function ListGrowthCell({ list }: { readonly list: List }): ReactNode {
  const t = useTexts('audiences');
  const { data } = useListGrowth(list.audience_id, growthDays);
  if (data === undefined) return <Skeleton height={10} width={64} />;
  const joined = data.data.reduce((sum, day) => sum + day.joined, 0);
  const left = data.data.reduce((sum, day) => sum + day.left, 0);
  if (joined === 0 && left === 0) {
    return (
      <Text component="span" inherit c="dimmed">
        {t('growth.none')}
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap" component="span">
      <Text component="span" inherit fw={500}>
        +{formatNumber(joined)}
      </Text>
      {left > 0 && (
        <Text component="span" inherit c="dimmed">
          −{formatNumber(left)}
        </Text>
      )}
    </Group>
  );
}

/** How many contacts more or fewer a segment has than at its first count in the last days. */
export function SegmentGrowthCell({ audienceId }: { readonly audienceId: number }): ReactNode {
  const t = useTexts('audiences');
  const { data } = useSegmentGrowth(audienceId, growthDays);
  if (data === undefined) return <Skeleton height={10} width={64} />;
  const [first] = data.days;
  const last = data.days.at(-1);
  const change = first === undefined ? 0 : last!.contacts - first.contacts;
  if (change === 0) {
    return (
      <Text component="span" inherit c="dimmed">
        {t(first === last ? 'growth.notYet' : 'growth.none')}
      </Text>
    );
  }
  return (
    <Text component="span" inherit fw={500}>
      {formatNumber(change, { signDisplay: 'exceptZero' })}
    </Text>
  );
}

/** Names what uses an audience: the first uses, and how many more there are. */
export function UsesCell({
  uses,
  count,
}: {
  readonly uses: readonly AudienceUse[];
  readonly count: number;
}): ReactNode {
  const t = useTexts('audiences');
  if (count === 0) {
    return (
      <Text component="span" inherit c="dimmed">
        {t('uses.none')}
      </Text>
    );
  }
  const [first] = uses;
  return (
    <Tooltip
      multiline
      maw={360}
      label={uses.map(({ feature, name }) => `${t(`uses.features.${feature}`)}: ${name}`).join('\n')}
      style={{ whiteSpace: 'pre-line' }}
    >
      <span>
        {first!.name}
        {count > 1 && ` ${t('uses.more', { count: count - 1 })}`}
      </span>
    </Tooltip>
  );
}
