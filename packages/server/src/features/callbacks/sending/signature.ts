import { createHmac } from 'node:crypto';

/**
 * Returns the value of `X-Roster-Signature`: `t=<unix seconds>,v1=<hex>`, with one `v1` for each
 * secret (docs/callbacks.md).
 *
 * `v1` is the HMAC-SHA256 of `<t>.<content>` with the secret as key, both as UTF-8. The content is
 * the body, or the query of a GET callback. The time is signed too: a receiver can refuse a recorded
 * callback that is sent again.
 */
export function signatureOf(content: string, secrets: readonly string[], at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${content}`).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signatures].join(',');
}

/**
 * Returns the headers of Standard Webhooks (https://www.standardwebhooks.com). `webhook-signature`
 * has one `v1,<base64>` for each secret, separated by spaces.
 *
 * It is the HMAC-SHA256 of `<id>.<unix seconds>.<content>`. The key is the secret without `whsec_`,
 * decoded from base64 (the URL alphabet, too).
 */
export function standardWebhookHeaders(
  id: string,
  content: string | Buffer,
  secrets: readonly string[],
  at: Date,
): (readonly [name: string, value: string])[] {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(content).digest('base64')}`;
  });
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(seconds)],
    ['webhook-signature', signatures.join(' ')],
  ];
}
