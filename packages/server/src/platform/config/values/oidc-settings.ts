import { readGroupRoles, type GroupRole } from './group-roles.ts';
import { oneOf, text, url } from './parse-setting.ts';
import type { Setting } from '../settings.ts';

const define = <T>(setting: Setting<T>): Setting<T> => setting;

/** The settings of single sign-on with OpenID Connect. */
export const oidcSettings = {
  oidcIssuer: define({
    env: 'ROSTER_OIDC_ISSUER',
    doc: 'Address of an OpenID Connect provider, with which people sign in to the console (single sign-on). Register `<public URL>/admin/v1/single-sign-on/callback` there as the redirect address. It requires `ROSTER_OIDC_CLIENT_ID`, `ROSTER_OIDC_CLIENT_SECRET` and `ROSTER_PUBLIC_URL`. See docs/people-and-rights.md.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: no single sign-on',
    parse: url('https:', 'http:'),
  }),
  oidcClientId: define({
    env: 'ROSTER_OIDC_CLIENT_ID',
    doc: 'Identifier of Roster at the provider.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset',
    parse: text,
  }),
  oidcClientSecret: define({
    env: 'ROSTER_OIDC_CLIENT_SECRET',
    doc: 'Secret of Roster at the provider.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset',
    parse: text,
  }),
  oidcName: define({
    env: 'ROSTER_OIDC_NAME',
    doc: 'Name of the provider on the sign-in page.',
    fallback: 'single sign-on',
    parse: text,
  }),
  oidcScopes: define({
    env: 'ROSTER_OIDC_SCOPES',
    doc: 'Scopes that Roster asks the provider for, separated by spaces.',
    fallback: 'openid email profile',
    parse: text,
  }),
  oidcGroupsClaim: define({
    env: 'ROSTER_OIDC_GROUPS_CLAIM',
    doc: 'Name of the claim with the groups of a person.',
    fallback: 'groups',
    parse: text,
  }),
  oidcRoles: define({
    env: 'ROSTER_OIDC_ROLES',
    doc: 'Roles of the groups, separated by commas: `marketing=1:editor` makes the group `marketing` editors of account 1. `*` stands for all accounts. `+unmasked` after the role grants unmasked values. At each sign-in, the roles of a person in the named accounts are set to these.',
    fallback: [] as readonly GroupRole[],
    shownDefault: 'unset: people must be invited',
    parse: readGroupRoles,
  }),
  oidcLinkByEmail: define({
    env: 'ROSTER_OIDC_LINK_BY_EMAIL',
    doc: '`true`: the first single sign-on of a person uses the user or the invitation with the same e-mail address, if the provider has verified the address. A user that existed before loses its password and all other ways to sign in. Set it only if you trust the provider with every address. `false`: it is refused.',
    fallback: 'false',
    parse: oneOf('true', 'false'),
  }),
};
