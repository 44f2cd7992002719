import { expect, test } from 'vitest';
import { startReceiver } from '../callbacks/receiver.ts';
import { startDeliveryService } from '../callbacks/support.ts';
import { forFile } from '../support/for-file.ts';
import { goodPassword, openBrowser } from '../users/support.ts';
import { subscribe, waitForSubscription } from './support.ts';

const service = await forFile(startDeliveryService({ worker: true }));
await service.first.operator('PATCH', '', { settings: { events: true } });

test('a member without the right to manage callbacks can only read, or nothing', async () => {
  const account = service.first;
  await using receiver = await startReceiver();
  const { subscription_id: id } = await subscribe(account, receiver);
  const statuses: Record<string, readonly number[]> = {};
  for (const role of ['admin', 'editor'] as const) {
    const invited = await account.operator('POST', '/invitations', { email: `${role}@example.com`, role });
    const token = invited.body.link.split('#token=')[1];
    const browser = openBrowser(service);
    await browser.send('POST', '/invitations/accept', { token, name: role, password: goodPassword });
    const path = '/accounts/1/event-subscriptions';
    const asked = [
      await browser.send('GET', path),
      await browser.send('GET', `${path}/${id}`),
      await browser.send('POST', path, { name: 'Mine', url: 'https://hooks.example.com/' }),
      await browser.send('POST', `${path}/${id}/test`),
      await browser.send('POST', path, { name: 'Mine', url: 'https://hooks.example.com/', unmasked: true }),
    ];
    statuses[role] = asked.map(({ status }) => status);
  }
  expect(statuses).toEqual({ admin: [200, 200, 201, 200, 403], editor: [403, 403, 403, 403, 403] });
});

test('another member who may not see unmasked values cannot redirect a subscription that sends them', async () => {
  const account = service.first;
  await using receiver = await startReceiver();
  const { subscription_id: id } = await subscribe(account, receiver, { unmasked: true, fields: ['EMAIL'] });
  const invited = await account.operator('POST', '/invitations', { email: 'other@example.com', role: 'admin' });
  const browser = openBrowser(service);
  const token = invited.body.link.split('#token=')[1];
  await browser.send('POST', '/invitations/accept', { token, name: 'Other', password: goodPassword });
  const change = (body: object) => browser.send('PATCH', `/accounts/1/event-subscriptions/${id}`, body);
  const refused = await change({ url: 'https://elsewhere.example.com/' });
  expect([refused.status, refused.body.errors]).toMatchObject([403, [{ code: 'missing_scope', field: 'unmasked' }]]);
  expect((await change({ url: 'https://elsewhere.example.com/', unmasked: false })).status).toBe(200);
  await waitForSubscription(service.context, account, id, ({ unmasked }) => !unmasked);
});
