import { Webhook } from 'standardwebhooks';

/**
 * Verifies a delivery with the published library of Standard Webhooks, and returns its content.
 * Throws if it is not authentic, or older or newer than five minutes.
 */
export function verify(secret: string, body: string, headers: Readonly<Record<string, unknown>>): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
