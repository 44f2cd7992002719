import type { RequestSummary } from '@roster/client';
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
