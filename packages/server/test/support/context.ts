import path from 'node:path';
import { inject } from 'vitest';
import { readConfig, type Config } from '#platform/config/config.ts';
import type { Context } from '#platform/context.ts';
import { createContext, type ContextOverrides } from '#app/create-context.ts';
import type { HostResolver } from '#features/callbacks/destination/resolve-host.ts';
import { isCluster } from './cluster.ts';
import { createTestDatabase } from './database.ts';

/** The layout of the databases of tests, as a process gets it. */
export const testLayout = { ROSTER_LAYOUT: isCluster ? 'citus' : 'single' };

/** The operator token of test services. */
export const testAdminToken = 'the-operator-token-of-all-the-tests';

// Tests must look up no outside names. Unless a test has its own resolver, no name exists.
const noNames: HostResolver = async () => {
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
};

/** Creates a context on a separate database. Dispose it to drop the database. */
export async function createTestContext(
  overrides: ContextOverrides & { config?: Partial<Config> } = {},
): Promise<Context> {
  const database = await createTestDatabase();
  const config: Config = {
    ...readConfig({
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      ROSTER_ADMIN_TOKEN: testAdminToken,
      ...testLayout,
      DATABASE_URL: database.url,
      // The files of exports and imports. They are deleted at the end of the run.
      ROSTER_DATA_DIR: path.join(inject('preparedDirectories'), 'data'),
    }),
    databasePoolSize: 8,
    ...overrides.config,
  };
  const context = createContext(config, 'api', { resolveHost: noNames, ...overrides });
  return {
    ...context,
    async [Symbol.asyncDispose]() {
      await context[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
