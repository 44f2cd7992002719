import { createHmac } from 'node:crypto';

/**
 * The value of `X-Roster-Signature`: `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret (decisions §5, docs/callbacks.md).
 *
 * `v1` is the HMAC-SHA256 of `<t>.<body>` with the secret as key, both as UTF-8. The time is signed too, so that a receiver can refuse what
 * somebody recorded and sends again.
 */
export function signatureOf(body: string, secrets: readonly string[], at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signatures].join(',');
}
