import type { Answer, TestAccount, TestService } from '../support/service.ts';

/** The words of the operation. */
export const words = { type: 'export_data', activity: 'get_user_channel_activity_data' } as const;

/** What `data` says, with values that are in order where a test says nothing. */
export const asked = (fields: object = {}) => ({
  primary_key: 'asha@example.com',
  channel: 'email',
  from_date: '01062026',
  to_date: '07062026',
  ...fields,
});

/** Sends a request as it is; `query` may be text. */
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

/** Asks for the activity of a person. */
export function ask(
  service: TestService,
  { apiKey }: Pick<TestAccount, 'apiKey'>,
  fields: object = {},
): Promise<Answer> {
  return send(service, { ...words, apikey: apiKey }, `data=${JSON.stringify(asked(fields))}`);
}
