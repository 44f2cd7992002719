import { kindNumber } from '../packages/server/src/platform/database/values/activity-numbers.ts';

/** A search by activities, and the same as handwritten SQL on the alias `c` of `contacts`. */
export interface ActivityCase {
  readonly name: string;
  readonly body: object;
  readonly where: string;
}

type Kind = Parameters<typeof kindNumber>[0];

const field = 'activity';
const search = (conditions: object[], operator: 'and' | 'or' = 'and') => ({
  filtering_criteria: [{ condition_operator: operator, condition_details: conditions }],
  output: { fields: ['contact_id', 'EMAIL'], get_count: true },
});
const inLast = (days: number) => ({ when: { operation: 'in_last', value: `${days} days` } });

/** Activities of the contact. `more` are further conditions. */
const own = (kind: Kind, days?: number, more = ''): string =>
  `from activities a where a.account_id = 1 and a.contact_key = c.contact_key and a.activity = ${kindNumber(kind)} ${more}
   ${days === undefined ? '' : `and a.occurred_at >= '${dayBefore(days)}'::timestamptz`}`;

/** The keys of people with at least three such activities. */
const three = (kind: Kind, days: number): string =>
  `select from (select contact_key from activities where account_id = 1 and activity = ${kindNumber(kind)}
   and occurred_at >= '${dayBefore(days)}'::timestamptz group by contact_key having count(*) >= 3) a where a.contact_key = c.contact_key`;

function dayBefore(days: number): string {
  return `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;
}

/** Returns the cases. Their dates are relative to now. */
export function activityCases(activities: number): ActivityCase[] {
  // A message of a month ago.
  const message = 1000 + Math.floor((activities * 0.9) / 5000);
  const opened = { field, operation: 'at_least', value: 1, activity: 'open' };
  return [
    {
      name: 'opened in the last 30 days',
      body: search([{ ...opened, ...inLast(30) }]),
      where: `exists (select ${own('open', 30)})`,
    },
    {
      name: 'opened any e-mail in the last 30 days, and clicked nothing in 90',
      body: search([
        { ...opened, channel: 'email', ...inLast(30) },
        { field, operation: 'never', activity: 'click', ...inLast(90) },
      ]),
      where: `exists (select ${own('open', 30, 'and a.channel = 1')}) and not exists (select ${own('click', 90)})`,
    },
    {
      name: 'opened in the last 3 days, or clicked today',
      body: search(
        [
          { ...opened, ...inLast(3) },
          { ...opened, activity: 'click', when: { operation: 'equals', value: 'today' } },
        ],
        'or',
      ),
      where: `(exists (select ${own('open', 3)}) or exists (select ${own('click', 0, `and a.occurred_at < '${dayBefore(-1)}'::timestamptz`)}))`,
    },
    {
      name: 'opened one message',
      body: search([{ ...opened, message_id: message }]),
      where: `exists (select ${own('open', undefined, `and a.message_id = ${message}`)})`,
    },
    {
      name: 'opened at least 3 times in the last year',
      body: search([{ ...opened, value: 3, ...inLast(365) }]),
      where: `exists (${three('open', 365)})`,
    },
    {
      name: 'never opened',
      body: search([{ ...opened, operation: 'never', value: [] }]),
      where: `not exists (select ${own('open')})`,
    },
    {
      name: 'was sent nothing in the last 30 days (no index)',
      body: search([{ field, operation: 'never', activity: 'sent', ...inLast(30) }]),
      where: `not exists (select ${own('sent', 30)})`,
    },
  ];
}
