import type { FastifyInstance } from 'fastify';
import { type Config, readConfig } from '#platform/config/config.ts';
import type { Feature } from '#platform/feature.ts';
import { createContext } from '../create-context.ts';
import { buildApp } from './app.ts';
import { noPeople } from '#platform/http/authentication/no-people.ts';
import { createFailedAuthentications } from '#platform/http/authentication/failed-authentications.ts';
import type { OpenApiDocument } from '#platform/http/openapi/document.ts';

/**
 * Builds the HTTP interface without a database. It can serve the OpenAPI document; operations fail.
 * `features` are the features to include; default: all.
 */
export async function buildUnconnectedApp(
  overrides: Partial<Config> = {},
  features?: readonly Feature[],
): Promise<FastifyInstance> {
  const config = { ...readConfig({ LOG_LEVEL: 'silent' }), databaseUrl: 'postgres://localhost/unused', ...overrides };
  const context = createContext(config, 'api', features === undefined ? {} : { features });
  const app = await buildApp({
    context,
    credentials: { find: unused, forget: unused, ofAccount: unused, [Symbol.asyncDispose]: async () => undefined },
    people: noPeople,
    failedAuthentications: createFailedAuthentications(context),
    acceptor: { accept: unused, acceptWith: unused, drain: unused },
    adminToken: 'unused',
  });
  app.addHook('onClose', () => context[Symbol.asyncDispose]());
  await app.ready();
  return app;
}

/**
 * Returns the OpenAPI document. It depends only on the routes, so it is the same on all machines.
 */
export async function describeInterface(): Promise<OpenApiDocument> {
  const app = await buildUnconnectedApp();
  try {
    return structuredClone(app.swagger()) as unknown as OpenApiDocument;
  } finally {
    await app.close();
  }
}

function unused(): never {
  throw new Error('operations do not work without a database');
}
