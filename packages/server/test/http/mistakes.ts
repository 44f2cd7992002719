import { afterAll, beforeAll, expect } from 'vitest';
import { startTestService, type Answer, type TestAccount, type TestService } from '../support/service.ts';

/**
 * A mistake that callers make, with the whole text of the answer. Many clients log nothing else, so
 * the text must say what is wrong, where it is, and what to send instead.
 */
export type Mistake = readonly [mistake: string, send: () => Promise<Answer>, text: string];

/** The service that receives the mistakes. */
export let service: TestService;
/** The first account of the service, which has a list and some attributes. */
export let account: TestAccount;

/** Starts the service before the tests of a file, and stops it after them. */
export function withService(): void {
  beforeAll(async () => {
    service = await startTestService();
    account = service.first;
    await account.operator('POST', '/lists', { name: 'News' });
    await account.createAttributes([
      { name: 'AGE', data_type: 'number' },
      { name: 'BORN', data_type: 'date' },
      { name: 'STORY', data_type: 'long_text' },
      { name: 'CARD', data_type: 'text', data_masking: 'full' },
    ]);
  });
  afterAll(() => service[Symbol.asyncDispose]());
}

/** Returns the error text of an answer, in the envelope of any generation. */
function textOf({ body }: Answer): string {
  return String(body.description ?? body.data?.description ?? body.message ?? body.details);
}

/** Sends a mistake, and expects the status and the text. */
export async function expectAnswer(_mistake: string, send: () => Promise<Answer>, text: string): Promise<void> {
  const answer = await send();
  expect(`${answer.status} ${textOf(answer)}`).toBe(text);
}

/** A valid contact. */
export const asha = { identity: 'asha@example.com' };
/** A valid group of conditions. */
export const group = { condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] };

/** Sends a V5 request. */
export const v5: TestAccount['v5'] = (path, body, headers) => account.v5(path, body, headers);

/** Sends a V5 request with a key that may read contacts but no masked values. */
export async function v5AsReader(path: string, body: object): Promise<Answer> {
  const { body: key } = await account.operator('POST', '/api-keys', { name: 'Reader', scopes: ['contacts:read'] });
  return service.call('POST', `/v5${path}`, { body, headers: { 'api-key': key.api_key } });
}

/** Creates identified contacts. */
export function create(...contacts: object[]): Promise<Answer> {
  return v5('/contact/create', { data: { contact_type: 'identified', contacts } });
}

/** Searches contacts by one condition. */
export function find(condition: object): Promise<Answer> {
  return v5('/contact/search', { filtering_criteria: [{ condition_details: [condition] }] });
}

/** Sends a request for an export. */
export function v4(body: object): Promise<Answer> {
  return service.call('POST', '/v4/audience/export', { body, headers: { 'api-key': account.apiKey } });
}

/** Requests an export of list 1. `audience` and `body` add or replace fields. */
export function exports(audience: object, body: object = {}): Promise<Answer> {
  const audience_details = { audience_type: 'list', audience_id: 1, ...audience };
  return v4({ audience_details, callback_details: {}, ...body });
}

/** Sends a request for user activity with these parameters. */
export function apiv2(parameters: object): Promise<Answer> {
  const words = { type: 'export_data', activity: 'get_user_channel_activity_data' };
  return service.call('POST', '/apiv2', { body: { ...words, apikey: account.apiKey, ...parameters } });
}

/** Requests the activity of a person. `fields` add or replace fields of `data`. */
export function activity(fields: object): Promise<Answer> {
  const days = { from_date: '26012026', to_date: '01022026' };
  return apiv2({ data: { primary_key: 'asha@example.com', channel: 'email', ...days, ...fields } });
}

/** Sends a batch add. `fields` add or replace fields of the body. */
export function batch(fields: object): Promise<Answer> {
  const receivers = { notifyemail: 'ops@example.test', callbackurl: 'https://hooks.example.test/roster' };
  const body = { listid: 1, primarykey: 'email', ...receivers, data: [{ EMAIL: 'asha@example.com' }], ...fields };
  return service.call('POST', '/v3/contact/batchadd', { body, headers: { 'api-key': account.apiKey } });
}
