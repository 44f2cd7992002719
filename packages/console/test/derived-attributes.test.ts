import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { record, recorded } from '../../server/test/activities/support.ts';
import { keep } from '../../server/test/derived-attributes/support.ts';
import { created } from '../../server/test/erasures/support.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const web = await forFile(startConsole());
const { first } = web.service;
const contact = await created(first, { identity: 'lena.fischer@example.com' });
await created(first, { identity: 'quiet@example.com' });
await recorded(
  web.service,
  first,
  (['sent', 'open', 'open', 'click'] as const).map((activity) =>
    record({ identity: 'lena.fischer@example.com', activity }),
  ),
);

test('derived attributes are switched on in the settings, and then appear everywhere', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/account' });
  await page.getByRole('heading', { name: 'Derived attributes' }).waitFor();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('status').filter({ hasText: 'Being computed' }).waitFor();
  await page.getByText('0 of 4 activities').or(page.getByText('0 of 0 activities')).waitFor();
  await keep(web.service);
  await page.getByRole('status').filter({ hasText: /^On$/ }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Compute again' }).click();
  await page.getByRole('status').filter({ hasText: 'Being computed again' }).waitFor();
  await keep(web.service);
  await page.getByRole('status').filter({ hasText: /^On$/ }).waitFor();

  await page.goto(`/console/accounts/1/contacts/${contact}`);
  const section = page.getByRole('region', { name: 'Activity' });
  await section.getByText('Engagement score').waitFor();
  // Two opens and a click in the last 30 days: 2 × 5 + 10.
  await section.getByText('20', { exact: true }).waitFor();
  await section.getByText('E-mail: last click').waitFor();
  await section.getByText('Messages sent in 30 days').first().waitFor();
  await expectAccessible(page);

  const columns = 'email,activity.engagement_score,activity.email.last_open';
  await page.goto(`/console/accounts/1/contacts?columns=${columns}`);
  await page.getByText('quiet@example.com').waitFor();
  await page.getByRole('columnheader', { name: 'Engagement score' }).waitFor();
  await page.getByRole('columnheader', { name: 'E-mail: last open' }).waitFor();
  await page.getByRole('gridcell', { name: '20', exact: true }).waitFor();
});

test('switching them off asks first', async () => {
  await web.service.first.operator('PATCH', '', { settings: { derived_attributes: true } });
  await keep(web.service);
  const condition = { field: 'activity.engagement_score', operation: 'greater_than', value: 10 };
  const filtering_criteria = [{ condition_details: [condition] }];
  await web.service.first.operator('POST', '/segments', { name: 'Engagiert', filtering_criteria });
  const page = await web.signIn({ path: '/accounts/1/settings/account', locale: 'de-DE' });
  await page.getByRole('heading', { name: 'Abgeleitete Attribute' }).waitFor();
  await page.getByRole('status').filter({ hasText: /^An$/ }).waitFor();
  await page.getByRole('button', { name: 'Ausschalten' }).click();
  const question = page.getByRole('dialog', { name: 'Die abgeleiteten Attribute ausschalten?' });
  await question.getByText(/^Segment: Engagiert$/).waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Abbrechen' }).click();
  await question.waitFor({ state: 'detached' });
  expect((await web.service.first.operator('GET', '/derived-attributes')).body.state).toBe('ready');
  await page.getByRole('button', { name: 'Ausschalten' }).click();
  await question.getByRole('button', { name: 'Ausschalten' }).click();
  await page.getByRole('status').filter({ hasText: 'Wird gelöscht' }).waitFor();
  await keep(web.service);
  await page.getByRole('status').filter({ hasText: /^Aus$/ }).waitFor();
});
