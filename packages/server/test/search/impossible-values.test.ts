import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());

describe('a condition with a value that nothing can equal', () => {
  test.each([
    ['email', 'equals', 'not an address', 0],
    ['mobile', 'equals', 'not a number', 0],
    ['mobile', 'equals', '12345', 0],
    ['email', 'equals', 5, 0],
    ['mobile', 'equals', 5, 0],
    ['identity', 'equals', 'x', 0],
    ['email', 'not_equals', 'not an address', 1],
    ['mobile', 'not_equals', 'not a number', 1],
    ['mobile', 'contains', 'abc', 0],
    ['mobile', 'not_contains', 'abc', 1],
    ['mobile', 'contains', '98-12', 1],
  ])('is accepted: %s %s %j finds %s of 1 contact', async (field, operation, value, count) => {
    for (const primaryKey of ['EMAIL', 'MOBILE']) {
      const account = await service.createAccount({ name: 'Other', primary_key: primaryKey });
      const both = { email: 'asha@example.com', mobile: '919812345678' };
      const identity = primaryKey === 'EMAIL' ? both.email : both.mobile;
      await account.createContacts([{ identity, ...both }]);
      const filter = { filtering_criteria: [{ condition_details: [{ field, operation, value }] }] };
      const answer = await account.v5('/contact/search', filter);
      expect([answer.status, answer.body.data.length]).toEqual([200, count]);
    }
  });
});
