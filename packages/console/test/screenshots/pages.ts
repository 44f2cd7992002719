import type { DemoService } from '../../../demo/src/service.ts';

/** A page of which a picture is made. */
export interface PicturedPage {
  /** Name of the file, without its ending. */
  readonly name: string;
  /** Path below `/console`. */
  readonly path: string;
  /** The page needs no sign-in. */
  readonly isOpen: boolean;
}

/** Pages of an account that need no id. The name is the path. */
const plain = [
  'contacts',
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
export async function pagesOf({ roster, account }: DemoService): Promise<PicturedPage[]> {
  const [contact] = await roster.contacts.search({ output: { fields: ['contact_id'] } }).take(1);
  const [list] = await account.lists.list().take(1);
  const [segment] = await account.segments.list().take(1);
  const attributes = await account.attributes.list().all();
  const [request] = await account.requests.list().take(1);
  const [imported] = await account.imports.list().take(1);
  const [exported] = await account.exports.list().take(1);
  const [delivery] = await account.deliveries.list().take(1);
  const withIds: readonly (readonly [name: string, path: string | undefined])[] = [
    ['contact', contact && `contacts/${contact.contact_id}`],
    ['list', list && `audiences/lists/${list.audience_id}`],
    ['segment', segment && `audiences/segments/${segment.audience_id}`],
    ['attribute', attributes.length === 0 ? undefined : `attributes/${attributes.at(-1)!.id}`],
    ['request', request && `developers/requests/${request.request_id}`],
    ['import', imported && `imports/${imported.import_id}`],
    ['export', exported && `exports/${exported.request_id}`],
    ['delivery', delivery && `developers/deliveries/${delivery.delivery_id}`],
  ];
  const inAccount = [
    ['home', ''] as const,
    ...plain.map((path) => [path.replaceAll('/', '-'), path] as const),
    ...withIds.flatMap(([name, path]) => (path === undefined ? [] : [[name, path] as const])),
  ];
  return [
    ...['sign-in', 'set-up', 'invitation', 'reset-password', 'new-password'].map((name) => ({
      name,
      path: `/${name}`,
      isOpen: true,
    })),
    { name: 'profile', path: '/profile', isOpen: false },
    ...inAccount.map(([name, path]) => ({
      name,
      path: path === '' ? '/accounts/1' : `/accounts/1/${path}`,
      isOpen: false,
    })),
  ];
}
