import type { ApiKey } from '@roster/client';

/** A right of an API key. */
export type Scope = ApiKey['scopes'][number];

// A scope that is missing here is an error of the type check.
const all: Readonly<Record<Scope, true>> = {
  'contacts:read': true,
  'contacts:write': true,
  'attributes:read': true,
  'attributes:write': true,
  'lists:read': true,
  'lists:write': true,
  'segments:read': true,
  'segments:write': true,
  'imports:read': true,
  'imports:write': true,
  export: true,
  'exports:read': true,
  'activity:read': true,
  'activity:write': true,
  'events:read': true,
  'requests:read': true,
  'privacy:write': true,
  unmasked: true,
};

/** The rights that an API key can have, in the order of the form. */
export const apiKeyScopes = Object.keys(all) as Scope[];
