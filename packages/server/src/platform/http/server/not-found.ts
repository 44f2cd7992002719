import { nearestName } from '@roster/contract';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { ApiError, notFound } from '#platform/errors/api-error.ts';

/** Responds with 405 and `Allow` if the path has other methods, else 404. Call it before routes. */
export function useNotFoundAnswers(app: FastifyInstance): void {
  const routes: { readonly segments: readonly string[]; readonly methods: Set<string> }[] = [];
  app.addHook('onRoute', (route: RouteOptions) => {
    const segments = split(route.url);
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    const known = routes.find((other) => other.segments.join('/') === segments.join('/'));
    if (known === undefined) routes.push({ segments, methods: new Set(methods) });
    else for (const method of methods) known.methods.add(method);
  });
  const paths = (): string[] => routes.map(({ segments }) => `/${segments.join('/')}`);
  const notFoundError = ({ url, method }: FastifyRequest): ApiError => {
    const segments = split(url.split('?', 1)[0]!).map(decode);
    const matches = routes.filter((route) => fits(route.segments, segments));
    if (matches.length === 0) {
      const nearest = nearestName(`/${segments.join('/')}`, paths());
      const advice = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
      return notFound(`operation at this path${advice}`);
    }
    const allow = [...new Set(matches.flatMap((route) => [...route.methods]))].sort().join(', ');
    return new ApiError('method_not_allowed', { params: { method, allow }, headers: { allow } });
  };
  // Do not read the body: the caller is not authenticated, and no operation needs the body.
  app.addHook('onRequest', (request, _reply, done) => (request.is404 ? done(notFoundError(request)) : done()));
  app.setNotFoundHandler((request) => {
    throw notFoundError(request);
  });
}

function split(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Decodes a segment as the router does. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function fits(route: readonly string[], path: readonly string[]): boolean {
  return route.length === path.length && route.every((segment, at) => segment.startsWith(':') || segment === path[at]);
}
