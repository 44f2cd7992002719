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
