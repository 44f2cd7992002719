import type { FastifyInstance } from 'fastify';
import type { Service } from '../server/service.ts';

/**
 * A scope of the application: how its requests are authenticated, and which limits they have.
 *
 * - `operator`: the operator token.
 * - `apiKey`: the header `api-key`; V5 and v4 share their rate limit.
 * - `v3`: the same header, with the errors of v3.
 * - `apiv2`: the parameter `apikey`.
 * - `open`: nothing; the address is the credential, or none is needed.
 */
export type RouteScope = 'operator' | 'apiKey' | 'v3' | 'apiv2' | 'open';

/**
 * Adds routes to the application. `app` is a scope of their own, so that they can read bodies in
 * their own way.
 */
export type Routes = (app: FastifyInstance, service: Service) => void;

declare module '#platform/feature.ts' {
  interface Feature {
    /** The routes that the feature adds to each scope. */
    readonly routes?: Readonly<Partial<Record<RouteScope, readonly Routes[]>>>;
  }
}

/** Adds the routes of all features to one scope of the application. */
export async function addRoutes(app: FastifyInstance, scope: RouteScope, service: Service): Promise<void> {
  for (const { routes } of service.context.features) {
    for (const add of routes?.[scope] ?? []) await app.register(async (own) => add(own, service));
  }
}
