import type { Answer, TestAccount, TestService } from '../support/service.ts';

/** The fixed values of the parameters `type` and `activity`. */
export const words = { type: 'export_data', activity: 'get_user_channel_activity_data' } as const;

/** Returns a valid value of `data`. `fields` add or replace fields. */
export const requestData = (fields: object = {}) => ({
  primary_key: 'asha@example.com',
  channel: 'email',
  from_date: '01062026',
  to_date: '07062026',
  ...fields,
});

/** Sends a request unchanged. `query` may be a text. */
export function send(
  service: TestService,
  query: Record<string, string> | string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  return service.call('POST', `/apiv2${text === '' ? '' : `?${text}`}`, {
    ...(body === undefined ? {} : { body }),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Requests the activity of a person. */
export function ask(
  service: TestService,
  { apiKey }: Pick<TestAccount, 'apiKey'>,
  fields: object = {},
): Promise<Answer> {
  return send(service, { ...words, apikey: apiKey }, `data=${JSON.stringify(requestData(fields))}`);
}
