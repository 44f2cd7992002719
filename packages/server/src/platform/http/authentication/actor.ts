import type { Permission, Role } from '@roster/contract';
import { roles } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import type { Author } from '#platform/audit-log/audit-log.ts';
import type { Credential } from './credential.ts';

/** The rights of a person in one account. */
export interface Membership {
  readonly accountId: number;
  readonly role: Role;
  /** The person sees the values of masked attributes. */
  readonly unmasked: boolean;
}

/** A person who is signed in, or who sent a personal access token. */
export interface Person {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  /** The person sees and manages all accounts. */
  readonly isInstallationAdmin: boolean;
  /** The session of the request; undefined if the request has a personal access token. */
  readonly sessionId?: number | undefined;
  /** The personal access token of the request. */
  readonly tokenId?: number | undefined;
  readonly memberships: readonly Membership[];
}

/**
 * Finds the person of a request. Results are never cached: a changed role takes effect at once, in
 * every process.
 */
export interface PersonStore {
  /** Finds a person by the session cookie; undefined without a valid session. */
  findBySession(request: FastifyRequest, purpose: LookUpPurpose): Promise<Person | undefined>;
  /** Finds a person by a personal access token (`rp_…`); undefined if it is not valid. */
  findByToken(token: string, purpose: LookUpPurpose): Promise<Person | undefined>;
}

/**
 * Why a person is looked up. `use`: for a new request, which extends the session. `check`: again
 * during a long response, which must not extend it.
 */
export type LookUpPurpose = 'use' | 'check';

/** The caller of an operator operation: the operator token, a person, or an API key. */
export interface Actor {
  /** The caller as the author of changes, such as `operator`, `user:7` or `api-key:3`. */
  readonly author: Author;
  /** Undefined for the operator token and for API keys. */
  readonly person: Person | undefined;
  /** The API key of the request, which has a rate limit. */
  readonly apiKey?: RateLimited | undefined;
  /** True for the operator token and for installation administrators. */
  readonly isInstallation: boolean;
  /** The accounts that the caller may know about. */
  readonly accounts: 'all' | readonly number[];
  /** Returns whether the caller has a permission in an account. */
  can(permission: Permission, accountId: number): boolean;
}

/** The holder of the operator token: it has every permission in every account. */
export const operatorActor: Actor = {
  author: 'operator',
  person: undefined,
  isInstallation: true,
  accounts: 'all',
  can: () => true,
};

/** Makes the actor of a person. */
export function actorOfPerson(person: Person): Actor {
  const { userId, isInstallationAdmin, memberships } = person;
  const membershipOf = (id: number): Membership | undefined => memberships.find(({ accountId }) => accountId === id);
  return {
    author: `user:${userId}`,
    person,
    isInstallation: isInstallationAdmin,
    accounts: isInstallationAdmin ? 'all' : memberships.map(({ accountId }) => accountId),
    can(permission, accountId) {
      const membership = membershipOf(accountId);
      // Not a part of any role, not even for installation administrators.
      if (permission === 'unmasked') return membership?.unmasked === true;
      if (isInstallationAdmin) return true;
      return membership !== undefined && (roles[membership.role] as readonly Permission[]).includes(permission);
    },
  };
}

/** What decides the rights of an API key. */
export type ApiKeyRights = Pick<Credential, 'author' | 'accountId' | 'scopes'>;

/** What decides the rate limit of an API key. */
export type RateLimited = Pick<Credential, 'apiKeyId' | 'settings'>;

/**
 * Makes the actor of an API key. It has its scopes, in its own account. `apiKey`: the key of the
 * present request.
 */
export function actorOfApiKey({ author, accountId, scopes }: ApiKeyRights, apiKey?: RateLimited): Actor {
  return {
    author,
    person: undefined,
    apiKey,
    isInstallation: false,
    accounts: [accountId],
    can: (permission, id) => id === accountId && (scopes as ReadonlySet<Permission>).has(permission),
  };
}
