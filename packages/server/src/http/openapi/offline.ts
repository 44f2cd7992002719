import { readConfig } from '../../config/config.ts';
import { createContext } from '../../context.ts';
import { buildApp } from '../app.ts';
import type { OpenApiDocument } from './document.ts';

/** The OpenAPI description of the interface, the same on every machine. Needs no database: it is made from the routes alone. */
export async function describeInterface(): Promise<OpenApiDocument> {
  const config = { ...readConfig({ LOG_LEVEL: 'silent' }), databaseUrl: 'postgres://localhost/never-connected' };
  await using context = createContext(config, 'api');
  const app = await buildApp({
    context,
    credentials: { find: unused, forget: unused, [Symbol.asyncDispose]: async () => undefined },
    acceptor: { accept: unused, drain: unused },
    adminToken: 'unused',
  });
  await app.ready();
  try {
    return structuredClone(app.swagger()) as unknown as OpenApiDocument;
  } finally {
    await app.close();
  }
}

function unused(): never {
  throw new Error('a description serves no requests');
}
