import { expect, test } from 'vitest';
import { StreamLimits, streamLimits } from './stream-limits.ts';

test('an account cannot take the event streams of all accounts with many API keys', () => {
  const limits = new StreamLimits();
  const leave: (() => void)[] = [];
  for (let n = 0; n < streamLimits.perAccount; n++) leave.push(limits.enter(`api-key:${n}`, 1));
  expect(() => limits.enter('api-key:another', 1)).toThrow('At most 500 event streams');
  limits.enter('api-key:another', 2);
  leave[0]!();
  limits.enter('api-key:another', 1);
});
