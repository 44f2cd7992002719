import { standardWebhookHeaders } from '#features/callbacks/sending/signature.ts';
import { send, userAgent, type Outcome } from '#features/callbacks/sending/send.ts';
import type { Context } from '#platform/context.ts';
import type { AttemptOutcome } from '../store/progress-store.ts';
import type { SubscriptionRow } from '../store/subscription-store.ts';

/** The outcome of an attempt, and how long it took. */
export interface SentBatch extends Outcome {
  readonly stored: AttemptOutcome;
}

/** Sends a body to the receiver of a subscription, signed with its secrets. Keeps the connection. */
export async function sendBody(
  context: Pick<Context, 'config' | 'now' | 'resolveHost' | 'receiverConnections'>,
  row: SubscriptionRow,
  deliveryId: string,
  body: Buffer,
  signal: AbortSignal,
): Promise<SentBatch> {
  const now = context.now();
  const isPreviousValid = row.previous_expires_at !== null && row.previous_expires_at > now;
  const secrets = [row.secret, ...(isPreviousValid ? [row.previous_secret!] : [])];
  const own = new Set(row.headers.map(([name]) => name.toLowerCase()));
  const headers = [
    ...row.headers,
    ...standardWebhookHeaders(deliveryId, body, secrets, now),
    ...(own.has('content-type') ? [] : [['Content-Type', 'application/json'] as const]),
    ...(own.has('user-agent') ? [] : [['User-Agent', userAgent] as const]),
  ];
  const began = performance.now();
  const outcome = await send(
    { method: 'POST', url: row.url, headers, body },
    {
      allow: context.config.callbackAllow,
      plainHttp: false,
      resolveHost: context.resolveHost,
      signal,
      reuse: { connections: context.receiverConnections, owner: `subscription ${row.subscription_id}` },
    },
  );
  const { status, error } = outcome;
  return {
    ...outcome,
    stored: {
      durationMs: Math.round(performance.now() - began),
      statusCode: status ?? null,
      errorCode: error?.code ?? null,
      errorDetail: error?.detail ?? null,
    },
  };
}
