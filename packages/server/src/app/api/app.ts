import os from 'node:os';
import cookie from '@fastify/cookie';
import * as contract from '@roster/contract';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { refuseDeletedAccounts } from '#features/accounts/deletion/refuse-deleted-accounts.ts';
import { programFile } from '../program-file.ts';
import { observabilityRoutes } from '../health/health.ts';
import { requireActor } from '#platform/http/authentication/require-actor.ts';
import { useAccountCredential } from '#platform/http/authentication/account-credential.ts';
import { availableMiB, memoryOfLargeBody, planMemory, type MemoryPlan } from '#platform/config/memory-plan.ts';
import { createInFlightGate, limitRequestsInFlight } from '#platform/http/server/in-flight.ts';
import { useBodyThreads } from '#platform/http/bodies/body-threads.ts';
import { answerBadHeaders } from '#platform/http/server/bad-headers.ts';
import { limitHandlers } from '#platform/http/server/deadline.ts';
import { sendError, useErrorAnswers } from '#platform/http/errors/errors.ts';
import { bodyLimit, useJson } from '#platform/http/bodies/json-bodies.ts';
import { compressResponses } from '#platform/http/server/compression.ts';
import { serveConsole } from '#platform/http/console/serve-console.ts';
import { allowOrigins } from '#platform/http/server/cross-origin.ts';
import { logFailuresAtClose } from '#platform/http/authentication/failed-authentications.ts';
import { refuseAccountsOnDownNodes } from '#platform/http/server/down-nodes.ts';
import { checkHosts } from '#platform/http/server/host-check.ts';
import { limitLargeAnswers } from '#platform/http/bodies/large-answers.ts';
import { createBodyGate, limitLargeBodies } from '#platform/http/bodies/large-bodies.ts';
import { malformedAnswerer } from '#platform/http/server/malformed.ts';
import { useNotFoundAnswers } from '#platform/http/server/not-found.ts';
import { serveDocumentation } from '#platform/http/documentation/serve-documentation.ts';
import { serveOpenApi } from '#platform/http/openapi/openapi.ts';
import { setCommonHeaders, useCommonHeaders } from '#platform/http/server/response-headers.ts';
import { serveOlderCalls } from '#platform/http/older-calls/older-calls.ts';
import { limitRate, useRateLimit } from '#platform/http/server/rate-limit.ts';
import type { Service } from '#platform/http/server/service.ts';
import { limitArrival } from '#platform/http/server/arrival.ts';
import { discardUnreadBodies } from '#platform/http/bodies/unread-bodies.ts';
import { useWaits } from '#platform/http/operations/prefer-wait.ts';
import { addRoutes, type RouteScope } from '#platform/http/operations/routes.ts';
import { useV3Errors, v3KeyErrors } from '#platform/http/errors/v3-errors.ts';
import { requireApiKeyParameter } from '#platform/http/authentication/api-key-parameter.ts';
import { requireApiKey } from '#platform/http/authentication/api-key.ts';

/** Settings of the HTTP interface. */
export interface AppOptions {
  /** Returns the metrics of other processes that `/metrics` must include; default: none. */
  readonly otherMetrics?: () => readonly object[];
  /** Memory limits of the process; default: planned for this machine. */
  readonly memory?: MemoryPlan;
  /** Folder with the build of the web console; default: the one of this repository. */
  readonly consoleDirectory?: string;
}

/** Builds the HTTP interface of an API process. */
export async function buildApp(service: Service, options: AppOptions = {}): Promise<FastifyInstance> {
  const { context } = service;
  const { otherMetrics = () => [], memory = planMemory(availableMiB(), os.availableParallelism()) } = options;
  const loggerInstance: FastifyBaseLogger = context.log;
  const app = Fastify({
    loggerInstance,
    // By default, Fastify logs URLs, which can contain keys and personal data. See measureRequests.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit,
    trustProxy: context.config.trustProxy === undefined ? false : [...context.config.trustProxy],
    // Node limits headers and URL together to 16 KiB. With the same limit here, every id in a path
    // reaches its operation. So an id that is too long gets the same 404 as any other unknown id.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 16_384 },
    genReqId: () => context.newId(),
    // limitArrival replaces this timeout.
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    // Requests that arrive on open connections during a stop are still served. See
    // endConnectionsAtStop.
    return503OnClosing: false,
    // Node would respond without a body. See answerBadHeaders.
    http: { requireHostHeader: false, headersTimeout: 60_000 },
    clientErrorHandler: malformedAnswerer(context.newId),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply);
      sendError(error, request, reply);
    },
  });
  app.decorate('databaseTurns', context.databaseTurns);
  useBodyThreads(app, { ...memory, program: programFile('body-thread') });
  useJson(app);
  useErrorAnswers(app, context.log);
  useCommonHeaders(app);
  answerBadHeaders(app, context.newId);
  checkHosts(app, context.config);
  await allowOrigins(app, context.config.corsOrigins);
  useNotFoundAnswers(app);
  measureRequests(app, service);
  discardUnreadBodies(app);
  limitArrival(app);
  endConnectionsAtStop(app);
  logFailuresAtClose(app, service.failedAuthentications);
  limitHandlers(app);
  useWaits(app);
  for (const { hooks } of context.features) hooks?.(app, service);
  await useRateLimit(app, service);
  limitLargeAnswers(app, { bytes: largeBodiesOf(service, memory) * memoryOfLargeBody });
  await compressResponses(app);
  // Only the routes of people read cookies, so no hook parses them for every request.
  await app.register(cookie, { hook: false });
  app.decorateRequest('credential', null);
  app.decorateRequest('actor', null);
  for (const schema of Object.values(contract)) {
    if (typeof schema === 'object' && '$id' in schema) app.addSchema(schema);
  }
  await serveOpenApi(app, context.config.publicUrl);
  await serveDocumentation(app);
  await serveConsole(app, options.consoleDirectory);

  observabilityRoutes(app, context, otherMetrics);
  const prepare = scopesOf(service, memory);
  for (const name of Object.keys(prepare) as RouteScope[]) {
    await app.register(async (scope) => {
      await prepare[name](scope);
      await addRoutes(scope, name, service);
    });
  }
  // Operators and people use the operations of API keys below the path of an account.
  await app.register(
    async (scope) => {
      await prepare.operator(scope);
      useAccountCredential(scope, service);
      await addRoutes(scope, 'apiKey', service);
    },
    { prefix: '/admin/v1/accounts/:account_id' },
  );
  return app;
}

/** Returns how many large bodies may be handled at the same time. */
function largeBodiesOf({ context }: Service, memory: MemoryPlan): number {
  return context.config.largeBodies ?? memory.largeBodies;
}

/** Returns the hooks of each scope of routes: authentication, rate limits and load limits. */
function scopesOf(
  service: Service,
  memory: MemoryPlan,
): Readonly<Record<RouteScope, (scope: FastifyInstance) => Promise<void>>> {
  const bodies = createBodyGate(largeBodiesOf(service, memory));
  const inFlight = createInFlightGate();
  const limitWork = (scope: FastifyInstance): void => {
    limitLargeBodies(scope, bodies);
    limitRequestsInFlight(scope, inFlight);
  };
  return {
    open: async () => undefined,
    async operator(scope) {
      requireActor(scope, service);
      refuseDeletedAccounts(scope, service);
      refuseAccountsOnDownNodes(scope, service);
      limitRate(scope, 'preParsing');
      limitWork(scope);
    },
    async apiKey(scope) {
      requireApiKey(scope, service);
      refuseAccountsOnDownNodes(scope, service);
      limitRate(scope, 'preParsing');
      limitWork(scope);
    },
    async v3(scope) {
      useV3Errors(scope);
      requireApiKey(scope, service, v3KeyErrors);
      refuseAccountsOnDownNodes(scope, service);
      limitRate(scope, 'preParsing');
      limitWork(scope);
    },
    async apiv2(scope) {
      requireApiKeyParameter(scope, service);
      refuseAccountsOnDownNodes(scope, service, 'preHandler');
      limitRate(scope, 'preHandler');
      serveOlderCalls(scope, service);
    },
  };
}

/**
 * Counts and logs each response with the pattern of its route. The URL can contain personal data.
 */
function measureRequests(app: FastifyInstance, { context }: Service): void {
  const { requests, latency } = context.metrics;
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { method } = request;
    requests.inc({ method, route, status: reply.statusCode });
    latency.observe({ method, route }, (reply.elapsedTime - request.waited) / 1000);
    request.log.debug(
      {
        method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        account_id: request.credential?.accountId,
        author: request.actor?.author,
      },
      'request completed',
    );
    done();
  });
}

/**
 * Makes each response during a stop close its connection. An idle keep-alive connection would delay
 * the stop until the client closes it.
 */
function endConnectionsAtStop(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
    // The connection of a response that has sent its headers already. In milliseconds.
    app.server.keepAliveTimeout = 1;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}
