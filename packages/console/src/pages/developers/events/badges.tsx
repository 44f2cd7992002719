import type { EventDelivery, EventSubscription } from '@roster/client';
import type { ReactNode } from 'react';
import { ColourBadge, StatusBadge } from '#components/values/status-badge.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** Whether a subscription sends events. */
export function SubscriptionBadge({
  subscription: { status, pending },
}: {
  readonly subscription: Pick<EventSubscription, 'status' | 'pending'>;
}): ReactNode {
  const t = useTexts('developers');
  if (status === 'paused') return <ColourBadge color="orange">{t('subscriptions.statuses.paused')}</ColourBadge>;
  if (pending?.error != null) return <ColourBadge color="red">{t('subscriptions.statuses.failing')}</ColourBadge>;
  return <StatusBadge status="active" />;
}

/** The status of a delivery of events. After a failed attempt, it says that there will be another one. */
export function EventDeliveryBadge({ delivery }: { readonly delivery: EventDelivery }): ReactNode {
  const t = useTexts('developers');
  if (delivery.status === 'failed') return <StatusBadge status="failed" label={t('subscriptions.deadLetter')} />;
  return delivery.status === 'pending' && delivery.error !== null ? (
    <StatusBadge status="partial" label={t('deliveries.retried')} />
  ) : (
    <StatusBadge status={delivery.status} />
  );
}
