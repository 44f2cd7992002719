import { Type, type Static } from 'typebox';

/** Scopes of an API key (decisions §9). */
export const scopes = [
  'contacts:read',
  'contacts:write',
  'attributes:read',
  'attributes:write',
  'export',
  'activity:read',
  'unmasked',
] as const;

/** A right that an API key has or lacks. */
export type Scope = (typeof scopes)[number];

/** Scopes of a key that was made without naming any: all but `unmasked`. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'unmasked');

/** Settings of an account, each with a default (decisions §2, §3). */
export const AccountSettings = Type.Object(
  {
    reject_existing_contacts: Type.Optional(
      Type.Boolean({
        description: 'A create with an identity that exists is refused as a whole with 400. Default: false.',
      }),
    ),
    auto_create_attributes: Type.Optional(
      Type.Boolean({
        description:
          'Unknown attribute names in contacts create the attribute, of the type of their first value. Default: false.',
      }),
    ),
    rate_limit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 100_000_000 }), Type.Null()], {
        description:
          'Requests a minute that one API key may send to one process; 0 = no limit, null = the setting of the service. Default: null.',
      }),
    ),
  },
  { $id: 'AccountSettings', additionalProperties: false },
);

/** Settings of an account as they are stored; absent = default. */
export type AccountSettings = Static<typeof AccountSettings>;
