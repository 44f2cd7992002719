import type { FastifyInstance } from 'fastify';
import type { Service } from '../server/service.ts';

/**
 * A scope of the application, with its authentication and limits.
 *
 * - `operator`: the operator token.
 * - `apiKey`: the header `api-key`, for V5 and v4.
 * - `v3`: the same header, with the errors of v3.
 * - `apiv2`: the parameter `apikey`.
 * - `open`: no authentication, or a secret in the address.
 */
export type RouteScope = 'operator' | 'apiKey' | 'v3' | 'apiv2' | 'open';

/** Adds routes to the application. `app` is a scope, so it can have its own body parsers. */
export type Routes = (app: FastifyInstance, service: Service) => void;

declare module '#platform/feature.ts' {
  interface Feature {
    /** The routes that the feature adds to each scope. */
    readonly routes?: Readonly<Partial<Record<RouteScope, readonly Routes[]>>>;
    /** Adds hooks to the whole application, before its routes. */
    readonly hooks?: Routes;
  }
}

/** Adds the routes of all features to one scope of the application. */
export async function addRoutes(app: FastifyInstance, scope: RouteScope, service: Service): Promise<void> {
  for (const { routes } of service.context.features) {
    for (const add of routes?.[scope] ?? []) await app.register(async (own) => add(own, service));
  }
}
