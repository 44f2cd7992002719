/**
 * Permissions that an API key can have too. A permission of an API key is called a scope.
 *
 * A `…:write` permission does not include its `…:read` permission.
 */
export const scopes = [
  'contacts:read',
  'contacts:write',
  'attributes:read',
  'attributes:write',
  'lists:read',
  'lists:write',
  'segments:read',
  'segments:write',
  'imports:read',
  'imports:write',
  'export',
  'exports:read',
  'activity:read',
  'activity:write',
  'events:read',
  'requests:read',
  'privacy:write',
  'unmasked',
] as const;

/** A permission of an API key. */
export type Scope = (typeof scopes)[number];

/**
 * Scopes of a key that was created without `scopes`: those of the operations that only API keys
 * had at first. Operator scopes and `unmasked` are given by name.
 */
export const defaultScopes: readonly Scope[] = [
  'contacts:read',
  'contacts:write',
  'attributes:read',
  'attributes:write',
  'export',
  'activity:read',
];

/**
 * Scopes of the first key of an account, with which people try the operations: the default scopes,
 * and `requests:read` for the outcome of a request.
 */
export const firstKeyScopes: readonly Scope[] = [...defaultScopes, 'requests:read'];

/** Every permission. The permissions that are not scopes are for people and the operator token. */
export const permissions = [
  ...scopes,
  'account:read',
  'account:write',
  'account:delete',
  'api-keys:read',
  'api-keys:write',
  'members:read',
  'members:write',
  'callbacks:read',
  'callbacks:write',
  'mails:read',
  'privacy:read',
  'audit-log:read',
] as const;

/** A right to do something in one account. */
export type Permission = (typeof permissions)[number];

const reading = [
  'account:read',
  'contacts:read',
  'attributes:read',
  'lists:read',
  'segments:read',
  'imports:read',
  'exports:read',
  'activity:read',
  'events:read',
  'requests:read',
] as const satisfies readonly Permission[];

const everything = permissions.filter((permission) => permission !== 'unmasked');

/**
 * The roles of a member of an account, and their permissions. No role includes `unmasked`: it is
 * granted to each member separately.
 *
 * Owners and admins have the same permissions. Only an owner can change or remove an owner, make
 * somebody an owner, and delete the account.
 */
export const roles = {
  owner: everything,
  admin: everything.filter((permission) => permission !== 'account:delete'),
  editor: [
    ...reading,
    'contacts:write',
    'attributes:write',
    'lists:write',
    'segments:write',
    'imports:write',
    'export',
  ],
  viewer: reading,
  privacy: [
    'account:read',
    'contacts:read',
    'attributes:read',
    'lists:read',
    'segments:read',
    'activity:read',
    'privacy:read',
    'privacy:write',
    'audit-log:read',
  ],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

/** The role of a member of an account. */
export type Role = keyof typeof roles;
