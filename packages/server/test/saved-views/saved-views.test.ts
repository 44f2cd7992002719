import { describe, expect, test } from 'vitest';
import { createView, listViewsOf, removeView, updateView } from './support.ts';
import { actorOfPerson, type Person } from '#platform/http/authentication/actor.ts';
import type { Role } from '@roster/contract';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());

const person = (userId: number, role: Role): ReturnType<typeof actorOfPerson> => {
  const memberships = [{ accountId: 1, role, unmasked: false }];
  const facts = { name: 'Asha', email: `u${userId}@example.com`, isInstallationAdmin: false } as const;
  return actorOfPerson({ userId, ...facts, memberships } satisfies Person);
};
const view = { name: 'Pune', page: 'contacts', state: { z: 1, a: ['x'] } };
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  service.first.operator(method, `/views${path}`, body);

describe('saved views of callers that are not people', () => {
  test('a shared view is saved, listed by page, changed and deleted', async () => {
    const { status, body } = await call('POST', '', { ...view, shared: true });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...view, shared: true, author: 'operator', version: 1 });
    // The order of the keys belongs to the state.
    expect(Object.keys(body.state)).toEqual(['z', 'a']);
    expect((await call('GET', '?page=contacts')).body.data).toEqual([body]);
    expect((await call('GET', '?page=imports')).body.data).toEqual([]);
    const changed = await call('PATCH', `/${body.view_id}`, { name: 'Goa' });
    expect(changed.body).toMatchObject({ name: 'Goa', state: view.state, version: 2 });
    expect(changed.headers['etag']).toBe('"2"');
    expect((await call('DELETE', `/${body.view_id}`)).status).toBe(204);
    expect((await call('DELETE', `/${body.view_id}`)).status).toBe(404);
  });

  test('a view that is not shared is refused', async () => {
    const { status, body } = await call('POST', '', view);
    expect([status, body.errors[0]]).toMatchObject([400, { code: 'not_allowed', field: 'shared' }]);
  });

  test('a state of more than 16 KiB, and a page that is not a name, are refused', async () => {
    const large = await call('POST', '', { ...view, shared: true, state: { text: 'é'.repeat(8192) } });
    expect(large.body.errors[0]).toMatchObject({ code: 'too_long', field: 'state' });
    const place = await call('POST', '', { ...view, shared: true, page: '../Contacts' });
    expect(place.body.errors[0]).toMatchObject({ code: 'invalid_format', field: 'page' });
    expect((await call('POST', '', { ...view, shared: true, state: [] })).body.errors[0].field).toBe('state');
  });

  test('another account sees and changes nothing', async () => {
    const { body } = await call('POST', '', { ...view, shared: true });
    const other = await service.createAccount();
    expect((await other.operator('GET', '/views')).body.data).toEqual([]);
    expect((await other.operator('PATCH', `/views/${body.view_id}`, { name: 'Mine' })).status).toBe(404);
    expect((await other.operator('DELETE', `/views/${body.view_id}`)).status).toBe(404);
    await call('DELETE', `/${body.view_id}`);
  });

  test('a change to an old version is refused', async () => {
    const { body } = await call('POST', '', { ...view, shared: true });
    await call('PATCH', `/${body.view_id}`, { name: 'First' });
    const answer = await service.call('PATCH', `/admin/v1/accounts/1/views/${body.view_id}`, {
      body: { name: 'Second' },
      headers: { authorization: `Bearer ${service.context.config.adminToken}`, 'if-match': '"1"' },
    });
    expect(answer).toMatchObject({ status: 412, headers: { etag: '"2"' } });
    await call('DELETE', `/${body.view_id}`);
  });
});

describe('saved views of people', () => {
  test('a viewer has views of their own, which nobody else sees', async () => {
    const { context } = service;
    const asha = person(7, 'viewer');
    const row = await createView(context, asha, view);
    expect(row).toMatchObject({ shared: false, author: 'user:7' });
    expect(await listViewsOf(context, asha)).toHaveLength(1);
    expect(await listViewsOf(context, person(8, 'owner'))).toEqual([]);
    await expect(removeView(context, person(8, 'owner'), row.view_id)).rejects.toMatchObject({ code: 'not_found' });
    await removeView(context, asha, row.view_id);
  });

  test('a viewer sees shared views, but only a person who may change segments makes and changes them', async () => {
    const { context } = service;
    const [viewer, editor] = [person(7, 'viewer'), person(8, 'editor')];
    await expect(createView(context, viewer, { ...view, shared: true })).rejects.toMatchObject({
      code: 'missing_permission',
    });
    const row = await createView(context, editor, { ...view, shared: true });
    expect(await listViewsOf(context, viewer)).toHaveLength(1);
    for (const change of [{ name: 'Mine' }, { shared: false }]) {
      await expect(updateView(context, viewer, row.view_id, change)).rejects.toMatchObject({
        code: 'missing_permission',
      });
    }
    await removeView(context, editor, row.view_id);
  });

  test('an own view can become shared, and a shared view one’s own', async () => {
    const { context } = service;
    const editor = person(8, 'editor');
    const { view_id: id } = await createView(context, editor, view);
    expect(await updateView(context, editor, id, { shared: true })).toMatchObject({ shared: true });
    expect(await listViewsOf(context, person(9, 'viewer'))).toHaveLength(1);
    expect(await updateView(context, editor, id, { shared: false })).toMatchObject({ shared: false });
    expect(await listViewsOf(context, person(9, 'viewer'))).toEqual([]);
    await removeView(context, editor, id);
  });
});

test('conditions on masked fields have no values for a person who must not see them', async () => {
  const { context } = service;
  const attributes = [
    { name: 'TAX_ID', data_type: 'text', data_masking: 'full' },
    { name: 'CARD', data_type: 'text', data_masking: 'partial' },
    { name: 'CITY', data_type: 'text' },
  ];
  const created = await service.first.operator('POST', '/client/attribute/create', { data: attributes });
  expect(created.status).toBe(200);
  await service.settled();
  const stateWith = (taxId: string, card: string) => ({
    filter: ['and', ['or', ['tax_id', 'equals', taxId], ['CARD', 'between', card, card], ['CITY', 'equals', 'Pune']]],
    criteria: [{ field: 'TAX_ID', operation: 'equals', value: [taxId] }],
    columns: ['TAX_ID', 'CITY', 'EMAIL'],
  });
  const state = stateWith('12-34', '4111');
  const { body } = await call('POST', '', { ...view, state, shared: true });
  expect(body.state).toEqual(state);
  const seen = async (unmasked: boolean) => {
    const facts = { name: 'Asha', email: 'u7@example.com', isInstallationAdmin: false } as const;
    const one = actorOfPerson({ userId: 7, ...facts, memberships: [{ accountId: 1, role: 'editor', unmasked }] });
    return (await listViewsOf(context, one)).find(({ view_id: id }) => id === body.view_id)!.state;
  };
  expect(await seen(true)).toEqual(state);
  expect(await seen(false)).toEqual(stateWith('****', '****'));
  // The name keeps its mask after the attribute was deleted.
  await service.first.operator('POST', '/client/attribute/delete', { data: ['TAX_ID'] });
  await service.settled();
  expect(await seen(false)).toEqual(stateWith('****', '****'));
  await call('DELETE', `/${body.view_id}`);
});

test('conditions on activities have no details for a caller who must not see activities', async () => {
  const { context } = service;
  const state = {
    filter: ['and', ['or', ['activity', 'at_least', 1, { activity: ['open'] }], ['CITY', 'equals', 'Pune']]],
    criteria: [
      { field: 'Activity', operation: 'never', channel: ['email'], when: { operation: 'in_last', value: '1 day' } },
    ],
    columns: ['CITY'],
  };
  const { body } = await call('POST', '', { ...view, state, shared: true });
  const facts = { name: 'Asha', email: 'u7@example.com', isInstallationAdmin: false } as const;
  const memberships = [{ accountId: 1, role: 'viewer', unmasked: true }] as const;
  const viewer = actorOfPerson({ userId: 7, ...facts, memberships });
  const seenBy = async (actor: typeof viewer) =>
    (await listViewsOf(context, actor)).find(({ view_id: id }) => id === body.view_id)!.state;
  expect(await seenBy(viewer)).toEqual(state);
  const blind = {
    ...viewer,
    can: (...[permission, id]: Parameters<typeof viewer.can>) =>
      permission !== 'activity:read' && viewer.can(permission, id),
  };
  expect(await seenBy(blind)).toEqual({
    filter: ['and', ['or', ['activity', 'at_least', '****', '****'], ['CITY', 'equals', 'Pune']]],
    criteria: [{ field: 'Activity', operation: 'never' }],
    columns: ['CITY'],
  });
  await call('DELETE', `/${body.view_id}`);
});
