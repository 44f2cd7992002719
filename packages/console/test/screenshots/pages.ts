import type { Page } from 'playwright-core';
import type { DemoService } from '../../../demo/src/service.ts';
import { states } from './states.ts';

/** A page of which a picture is made. */
export interface PicturedPage {
  /** Name of the file, without its ending. */
  readonly name: string;
  /** Path below `/console`. */
  readonly path: string;
  /** The page needs no sign-in. */
  readonly isOpen: boolean;
  /** What to do in the page before the picture is made. */
  readonly act?: ((page: Page) => Promise<void>) | undefined;
}

/** Account without data, in which every page is empty. */
const emptyPages = [
  '',
  'contacts',
  'contacts/bulk-changes',
  'audiences',
  'audiences?tab=segments',
  'attributes',
  'imports',
  'exports',
  'exports/schedules',
  'activity',
  'developers/api-keys',
  'developers/requests',
  'developers/deliveries',
  'developers/subscriptions',
  'developers/events',
  'developers/mails',
  'privacy/erasures',
  'privacy/sign-ups',
  'settings/members',
];

/** Pages of an account that need no id. The name is the path. */
const plain = [
  'contacts',
  'contacts/bulk-changes',
  'audiences',
  'attributes',
  'imports',
  'imports/new',
  'exports',
  'exports/new',
  'exports/schedules',
  'activity',
  'developers',
  'developers/api-keys',
  'developers/requests',
  'developers/deliveries',
  'developers/subscriptions',
  'developers/events',
  'developers/mails',
  'developers/signing-secret',
  'developers/api-reference',
  'privacy',
  'privacy/erasures',
  'privacy/forgotten',
  'privacy/person-exports',
  'privacy/retention',
  'privacy/sign-ups',
  'settings',
  'settings/account',
  'settings/members',
  'settings/single-sign-on',
  'settings/audit-log',
  'settings/system',
];

/** Returns all pages, with ids of things that exist in the demo. */
export async function pagesOf({ roster, account, operator }: DemoService): Promise<PicturedPage[]> {
  const [contact] = await roster.contacts
    .search({
      filtering_criteria: [{ condition_details: [{ field: 'LOYALTY_TIER', operation: 'equals', value: ['gold'] }] }],
      output: { fields: ['contact_id'], sorting: [{ field: 'created_at', direction: 'asc' }] },
    })
    .take(1);
  const [list] = await account.lists.list({ contains: 'Newsletter' }).take(1);
  const [segment] = await account.segments.list().take(1);
  const [bulkChange] = await account.bulkChanges.list().take(1);
  const messages = await account.statistics.messages().all();
  const message = messages.find(({ channels }) => channels.includes('email'));
  const { account_id: empty } = await operator.accounts.create({ name: 'Empty Shop' });
  const attributes = await account.attributes.list().all();
  const [request] = await account.requests.list({ outcome: 'failed' }).take(1);
  const imports = await account.imports.list().all();
  const [exported] = await account.exports.list().take(1);
  const [delivery] = await account.deliveries.list().take(1);
  const [subscription] = await account.eventSubscriptions.list().take(1);
  const withIds: readonly (readonly [name: string, path: string | undefined])[] = [
    ['contact', contact && `contacts/${contact.contact_id}`],
    ['list', list && `audiences/lists/${list.audience_id}`],
    ['segment', segment && `audiences/segments/${segment.audience_id}`],
    ['attribute', attributes.length === 0 ? undefined : `attributes/${attributes.at(-1)!.id}`],
    ['request', request && `developers/requests/${request.request_id}`],
    ['import', imports[0] && `imports/${imports[0].import_id}`],
    ['import-of-customers', imports[1] && `imports/${imports.at(-1)!.import_id}`],
    ['bulk-change', bulkChange && `contacts/bulk-changes/${bulkChange.bulk_change_id}`],
    ['activity-people', message && `activity?message=${message.message_id}`],
    ['contact-attributes', contact && `contacts/${contact.contact_id}?tab=attributes`],
    ['export', exported && `exports/${exported.request_id}`],
    ['subscription', subscription && `developers/subscriptions/${subscription.subscription_id}`],
    ['delivery', delivery && `developers/deliveries/${delivery.delivery_id}`],
  ];
  const inAccount = [
    ['home', ''] as const,
    ...plain.map((path) => [path.replaceAll('/', '-'), path] as const),
    ...withIds.flatMap(([name, path]) => (path === undefined ? [] : [[name, path] as const])),
  ];
  const shown = inAccount.map(([name, path]) => ({
    name,
    path: path === '' ? '/accounts/1' : `/accounts/1/${path}`,
    isOpen: false,
  }));
  return [
    ...['sign-in', 'set-up', 'invitation', 'reset-password', 'new-password'].map((name) => ({
      name,
      path: `/${name}`,
      isOpen: true,
    })),
    { name: 'profile', path: '/profile', isOpen: false },
    { name: 'users', path: '/users', isOpen: false },
    { name: 'users-user', path: '/users?user=1', isOpen: false },
    ...shown,
    ...emptyPages.map((path) => ({
      name: `empty-${path === '' ? 'home' : path.replaceAll(/\W/g, '-')}`,
      path: `/accounts/${empty}/${path}`,
      isOpen: false,
    })),
    ...states.map(({ of, name, act }) => {
      const page = shown.find((one) => one.name === of);
      return { name: `${of}-${name}`, path: page?.path ?? `/accounts/1/${of}`, isOpen: false, act };
    }),
  ];
}
