import { describe, test } from 'vitest';
import { createTestContext } from '../support/context.ts';
import { answersAreCorrect, filesAreCorrect, pagesAreComplete } from './properties.ts';
import { createWorld } from './world.ts';
import { cases, caseTimeout } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';

const ctx = await forFile(createTestContext());

describe.each([
  ['EMAIL', 'Europe/Berlin'],
  ['MOBILE', 'Pacific/Apia'],
  ['CUSTOMER_ID', 'Africa/Cairo'],
])('in an account with the primary key %s and the time zone %s', (primaryKey, timeZone) => {
  test('a random search returns the rows that the oracle expects', { timeout: caseTimeout }, async () =>
    answersAreCorrect(ctx, await createWorld(ctx, primaryKey, timeZone), cases(200)),
  );

  test(
    'the pages of a random search, by number and by cursor, return every match once and in order',
    { timeout: caseTimeout },
    async () => pagesAreComplete(ctx, await createWorld(ctx, primaryKey, timeZone), cases(15)),
  );

  test(
    'the export file of a random filter has every match once, in the order of the contact_ids',
    { timeout: caseTimeout },
    async () => filesAreCorrect(ctx, await createWorld(ctx, primaryKey, timeZone), cases(60)),
  );
});
