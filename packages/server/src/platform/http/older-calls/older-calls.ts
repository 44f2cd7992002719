import type { Scope } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, faultsError, invalidField } from '#platform/errors/api-error.ts';
import type { Feature } from '#platform/feature.ts';
import type { Credential } from '../authentication/credential.ts';
import { disconnectSignal } from '../connection/client-disconnect.ts';
import { apiv2Error } from '../errors/error-envelopes.ts';
import { readForm } from '../parameters/form.ts';
import { isEmpty, type Parameters } from '../parameters/parameters.ts';
import type { Service } from '../server/service.ts';

/**
 * A call of apiv2 that older clients still send. Its parameters `type` and `activity` name it.
 * Everything it does, an operation of today does too.
 */
export interface OlderCall {
  readonly type: string;
  readonly activity: string;
  readonly permission: Scope;
  /** Does what the call says. Returns the UUID of what it began. Throws an {@link ApiError}. */
  handle(service: Service, request: OlderRequest): Promise<string>;
}

/** A request of an older call, whose parameters could be read. */
export interface OlderRequest {
  readonly requestId: string;
  readonly credential: Credential;
  readonly parameters: Parameters;
  /** Returns a signal that is aborted when the client disconnects. */
  readonly disconnectSignal: () => AbortSignal;
}

declare module '#platform/feature.ts' {
  interface Feature {
    /** The older calls that the feature serves. */
    readonly olderCalls?: readonly OlderCall[];
  }
}

const path = '/apiv2';

/** Finds the older call that the parameters name, in any letter case. */
export function findOlderCall(features: readonly Feature[], { type, activity }: Parameters): OlderCall | undefined {
  return callsOf(features).find((call) => isWord(type, call.type) && isWord(activity, call.activity));
}

/**
 * Serves the older calls in the scope of apiv2, by POST and by GET. Call it after the
 * authentication and the limits. Requests of other operations go on to their handlers.
 */
export function serveOlderCalls(scope: FastifyInstance, service: Service): void {
  const { features } = service.context;
  scope.addHook('preHandler', async (request, reply) => {
    const { read, faults } = request.parameters!;
    const call = findOlderCall(features, read);
    if (call === undefined) return requireKnownWords(callsOf(features), read);
    if (faults.count > 0) throw faultsError(faults);
    const id = await call.handle(service, {
      requestId: request.id,
      credential: request.credential!,
      parameters: read,
      disconnectSignal: () => disconnectSignal(reply.raw),
    });
    return reply.send({ requestid: id.replaceAll('-', ''), result: 'Success' });
  });
  scope.route({
    method: 'GET',
    url: path,
    // A HEAD must not change anything.
    exposeHeadRoute: false,
    schema: { hide: true },
    config: { errorEnvelope: apiv2Error },
    onRequest: async (request) => requireOlderCall(features, request),
    // The query can name one thing at first, and another one later.
    handler: (request) => Promise.reject(postOnly(request)),
  });
}

/** Throws when a GET names no older call: all other operations are POST. */
function requireOlderCall(features: readonly Feature[], request: FastifyRequest): void {
  const query = readForm(request.url.split('?').slice(1).join('?'));
  const words = Object.fromEntries(query.map(([name, value]) => [name.trim().toLowerCase(), value]));
  if (findOlderCall(features, words) !== undefined) return;
  throw postOnly(request);
}

function postOnly({ method }: FastifyRequest): ApiError {
  return new ApiError('method_not_allowed', { params: { method, allow: 'POST' }, headers: { allow: 'POST' } });
}

/** Throws when the words of a request name neither an older call nor the activity of a person. */
function requireKnownWords(calls: readonly OlderCall[], { type }: Parameters): void {
  const known = calls.filter((call) => isWord(type, call.type)).map(({ activity }) => activity);
  if (known.length > 0) throw invalidField('unknown_value', 'activity', `must be ${known.join(' or ')}`);
  const types = ['export_data', ...new Set(calls.map((call) => call.type))];
  if (isEmpty(type) || types.some((one) => isWord(type, one))) return;
  throw invalidField('unknown_value', 'type', `must be ${types.join(' or ')}`);
}

function callsOf(features: readonly Feature[]): readonly OlderCall[] {
  return features.flatMap(({ olderCalls = [] }) => olderCalls);
}

function isWord(given: unknown, word: string): boolean {
  return typeof given === 'string' && given.trim().toLowerCase() === word;
}
