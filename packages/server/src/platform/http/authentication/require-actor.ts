import { timingSafeEqual } from 'node:crypto';
import type { Permission } from '@roster/contract';
import type { Requirement } from '@roster/contract/operations';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '#platform/errors/api-error.ts';
import type { Service } from '../server/service.ts';
import { actorOfApiKey, actorOfPerson, operatorActor, type Actor, type LookUpPurpose } from './actor.ts';
import { apiKeyAsToken, invalidCredential, misplacedCredential } from './authenticate-challenge.ts';
import { requireSameSite } from './same-site.ts';
import { sha256 } from '#platform/text/sha256.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of an operator operation; null for other requests. */
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    /** What the caller needs. */
    permission?: Requirement;
    /** What is enough instead of `permission`. The handler checks the rest. */
    alternativePermission?: Permission;
  }
}

/**
 * Authenticates the routes of a scope, before the body is read, and checks the permission of the
 * operation in the account of the path.
 *
 * The caller sends one of these: the operator token or a personal access token
 * (`Authorization: Bearer`), an API key (header `api-key`), or the cookie of a session. An account
 * that the caller may not know gets the same 404 as an account that does not exist.
 */
export function requireActor(app: FastifyInstance, service: Service): void {
  app.addHook('onRequest', async (request) => {
    request.actor = await findPermittedActor(service, request, 'use');
  });
}

/**
 * Finds the caller of a running request again, with the present rights, and checks the permission
 * of its operation. A long response uses it to notice that the session has ended or that the role
 * was taken away. It does not extend the session.
 */
export async function presentActor(service: Service, request: FastifyRequest): Promise<Actor> {
  return findPermittedActor(service, request, 'check');
}

async function findPermittedActor(service: Service, request: FastifyRequest, purpose: LookUpPurpose): Promise<Actor> {
  const actor = await findActor(service, sha256(service.adminToken), request, purpose);
  checkPermission(actor, request);
  return actor;
}

/** Returns the caller of an operator operation. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.actor === null) throw new Error('the route is not authenticated');
  return request.actor;
}

async function findActor(
  service: Service,
  expected: Buffer,
  request: FastifyRequest,
  purpose: LookUpPurpose,
): Promise<Actor> {
  const { credentials, failedAuthentications, people } = service;
  const { authorization, 'api-key': header } = request.headers;
  if (authorization !== undefined) {
    const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    // Compared before the limit of failures is checked: the right token must work from every
    // address. Hashes have the same length, so the comparison always takes the same time.
    if (token !== undefined && timingSafeEqual(sha256(token), expected)) return operatorActor;
    const person = token?.startsWith('rp_') === true ? await people.findByToken(token, purpose) : undefined;
    if (person !== undefined) return actorOfPerson(person);
    const hint = token === undefined ? misplacedCredential(request, 'operator') : apiKeyAsToken(token);
    const error = invalidCredential('invalid_operator_token', 'operator', hint);
    throw failedAuthentications.fail(request.ip, 'operator_token', error);
  }
  const apiKey = typeof header === 'string' ? header.trim() : '';
  if (apiKey !== '') {
    const credential = await credentials.find(apiKey);
    if (credential !== undefined) return actorOfApiKey(credential, credential);
    const error = invalidCredential('invalid_operator_token', 'operator', undefined);
    throw failedAuthentications.fail(request.ip, 'api_key', error);
  }
  const person = await people.findBySession(request, purpose);
  if (person !== undefined) {
    requireSameSite(request, service.context.config.publicUrl);
    return actorOfPerson(person);
  }
  const error = invalidCredential('invalid_operator_token', 'operator', misplacedCredential(request, 'operator'));
  // Pages ask again and again after a session has ended. That is not an attack.
  if (request.headers.cookie !== undefined) throw error;
  throw failedAuthentications.fail(request.ip, 'operator_token', error);
}

function checkPermission(actor: Actor, { routeOptions, params }: FastifyRequest): void {
  const { permission, alternativePermission } = routeOptions.config;
  if (permission === undefined) throw new Error(`${routeOptions.url} names no permission`);
  if (permission === 'any-account') return;
  if (permission === 'signed-in') {
    if (actor.person === undefined) throw missingPermission(permission, '. Sign in as a person');
    return;
  }
  if (permission === 'installation') {
    if (!actor.isInstallation) throw missingPermission(permission);
    return;
  }
  const text = (params as { account_id?: string }).account_id ?? '';
  const accountId = Number(text);
  // If the caller sees all accounts, the operation itself finds out that an account is unknown.
  const isSeen = actor.accounts === 'all' || actor.accounts.includes(accountId);
  if (!isSeen) throw notFound(`account ${text.slice(0, 20)}`);
  if (alternativePermission !== undefined && actor.can(alternativePermission, accountId)) return;
  requirePermission(actor, permission, accountId);
}

/** Makes the error for a caller without a permission. */
export function missingPermission(permission: Requirement, place = ''): ApiError {
  return new ApiError('missing_permission', { params: { permission, place } });
}

/** Throws `missing_permission` unless the caller has the permission in the account. */
export function requirePermission(actor: Actor, permission: Permission, accountId: number): void {
  if (!actor.can(permission, accountId)) throw missingPermission(permission, ` in account ${accountId}`);
}
