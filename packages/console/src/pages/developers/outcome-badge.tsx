import type { Delivery, RequestSummary } from '@roster/client';
import type { ReactNode } from 'react';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** What came out of a request: a request in which everything failed must not look done. */
export function OutcomeBadge({
  request,
}: {
  readonly request: Pick<RequestSummary, 'status' | 'outcome' | 'counts'>;
}): ReactNode {
  const t = useTexts('developers');
  const { status, outcome, counts } = request;
  if (status === 'failed' || outcome === 'all_failed') return <StatusBadge status="failed" />;
  if (outcome === 'some_failed') return <StatusBadge status="partial" />;
  if (status === 'accepted') return <StatusBadge status="waiting" />;
  return counts.warnings > 0 ? (
    <StatusBadge status="partial" label={t('requests.outcomes.warnings')} />
  ) : (
    <StatusBadge status="done" />
  );
}

/** The status of a callback. After a failed attempt, it says that there will be another one. */
export function DeliveryBadge({
  delivery: { status, attempts, next_attempt_at: next },
}: {
  readonly delivery: Pick<Delivery, 'status' | 'attempts' | 'next_attempt_at'>;
}): ReactNode {
  const t = useTexts('developers');
  return attempts > 0 && isLater(next) ? (
    <StatusBadge status="partial" label={t('deliveries.retried')} />
  ) : (
    <StatusBadge status={status} />
  );
}

/** Tells whether a moment is still to come. During an attempt, its time is in the past. */
function isLater(moment: string | null): boolean {
  return moment !== null && Date.parse(moment) > Date.now();
}
