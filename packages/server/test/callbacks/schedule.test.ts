import { expect, test } from 'vitest';
import { deliveryWindow, nextPause, readRetryAfter } from '#features/callbacks/sending/schedule.ts';
import { signatureOf, standardWebhookHeaders } from '#features/callbacks/sending/signature.ts';

const second = 1000;
const hour = 3_600_000;

test('the longest pause doubles up to two hours, and each pause is random up to the longest', () => {
  const most = (number: number) => nextPause({ number, elapsed: 0 }, () => 1);
  expect([1, 2, 3, 10, 11, 100].map(most)).toEqual([10, 20, 40, 5120, 7200, 7200].map((seconds) => seconds * second));
  expect(nextPause({ number: 5, elapsed: 0 }, () => 0.25)).toBe(40 * second);
  expect(nextPause({ number: 5, elapsed: 0 }, () => 0)).toBe(second);
});

test('the last attempt is made after 24 hours, and no other follows', () => {
  expect(nextPause({ number: 30, elapsed: deliveryWindow - 60 * second }, () => 1)).toBe(60 * second);
  expect(nextPause({ number: 30, elapsed: deliveryWindow - 1 }, () => 0)).toBe(1);
  expect(nextPause({ number: 31, elapsed: deliveryWindow }, () => 0)).toBeUndefined();
});

test('a delivery that never arrives is attempted about thirty times', () => {
  for (const random of [() => 1, () => 0.5]) {
    let attempts = 0;
    for (let elapsed = 0, pause: number | undefined = 0; pause !== undefined; elapsed += pause ?? 0) {
      attempts++;
      pause = nextPause({ number: attempts, elapsed }, random);
    }
    expect(attempts).toBeGreaterThan(15);
    expect(attempts).toBeLessThan(80);
  }
});

test('a receiver can ask for a longer pause, up to two hours, but not for a shorter one', () => {
  const pause = (retryAfter: number, elapsed = 0) => nextPause({ number: 1, elapsed, retryAfter }, () => 0.5);
  expect(pause(60 * second)).toBe(60 * second);
  expect(pause(2 * second)).toBe(5 * second);
  expect(pause(48 * hour)).toBe(2 * hour);
  expect(pause(2 * hour, deliveryWindow - hour)).toBe(hour);
});

test('Retry-After can be a number of seconds or a date', () => {
  const now = new Date('2026-03-01T10:00:00Z');
  expect(readRetryAfter('120', now)).toBe(120 * second);
  expect(readRetryAfter('0', now)).toBe(0);
  expect(readRetryAfter('Sun, 01 Mar 2026 10:01:00 GMT', now)).toBe(60 * second);
  for (const text of [
    undefined,
    '',
    '-5',
    '1.5',
    'soon',
    '99999999999',
    'Sun, 01 Mar 2026 09:00:00 GMT',
    '2026-03-02',
    'Now, soon',
  ]) {
    expect(readRetryAfter(text, now), text).toBeUndefined();
  }
});

test('the signature is an HMAC of the time and the body, once for each secret', () => {
  const at = new Date('2026-03-01T10:00:00.999Z');
  // printf '1772359200.{"a":1}' | openssl dgst -sha256 -hmac secret
  expect(signatureOf('{"a":1}', ['secret'], at)).toBe(
    't=1772359200,v1=bae4a660178ef6f9b199125fafbf22b81cf3d94b8648ae987577aad9b6227209',
  );
  expect(signatureOf('{"a":1}', ['one', 'two'], at)).toMatch(/^t=1772359200,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
});

test('the headers of Standard Webhooks are those of its published example, once for each secret', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const at = new Date(1_614_265_330_000);
  const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  expect(standardWebhookHeaders(id, '{"test": 2432232314}', [secret], at)).toEqual([
    ['webhook-id', id],
    ['webhook-timestamp', '1614265330'],
    ['webhook-signature', expected],
  ]);
  const both = standardWebhookHeaders(id, '{"test": 2432232314}', ['whsec_AAAA', secret], at);
  expect(both[2]![1]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,g0hM9SsE/);
});

test('a secret in the URL alphabet of base64 signs like the same secret in the plain alphabet', () => {
  const sign = (secret: string) => standardWebhookHeaders('id', '{}', [secret], new Date(0));
  expect(sign('whsec_-_-_-_8')).toEqual(sign('whsec_+/+/+/8='));
});
