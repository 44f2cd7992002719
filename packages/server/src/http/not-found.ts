import type { FastifyInstance, RouteOptions } from 'fastify';
import { ApiError } from './api-error.ts';

/** Answers 405 with `Allow` where the path exists for other methods, and 404 elsewhere (decisions §2). Call it before any route is made. */
export function useNotFoundAnswers(app: FastifyInstance): void {
  const routes: { readonly segments: readonly string[]; readonly methods: Set<string> }[] = [];
  app.addHook('onRoute', (route: RouteOptions) => {
    const segments = split(route.url);
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    const known = routes.find((other) => other.segments.join('/') === segments.join('/'));
    if (known === undefined) routes.push({ segments, methods: new Set(methods) });
    else for (const method of methods) known.methods.add(method);
  });
  app.setNotFoundHandler((request) => {
    const segments = split(request.url.split('?', 1)[0]!);
    const matches = routes.filter((route) => fits(route.segments, segments));
    if (matches.length === 0) throw new ApiError('not_found', { params: { what: 'operation at this path' } });
    const allow = [...new Set(matches.flatMap((route) => [...route.methods]))].sort().join(', ');
    throw new ApiError('method_not_allowed', { params: { method: request.method, allow }, headers: { allow } });
  });
}

function split(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function fits(route: readonly string[], path: readonly string[]): boolean {
  return route.length === path.length && route.every((segment, at) => segment.startsWith(':') || segment === path[at]);
}
