import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { notFound } from '#platform/errors/api-error.ts';
import { isNavigation, sendPage } from './pages.ts';
import { securityHeaders } from './security-headers.ts';

/** The build of the console in this repository and in the image. */
const consoleDirectory = path.join(import.meta.dirname, '../../../../../console/dist');

/**
 * Serves the web console at `/console`, and sends a browser there from `/`. `directory` is the
 * folder of the build.
 *
 * - `/console/assets/…` are files with a hash of their content in the name, compressed in advance.
 * - Every other address below `/console` is a page, if a browser navigates to it. The response is
 *   the same for all: the program in it shows the page of the address.
 *
 * A missing file is 404, never a page: a browser must not take HTML for a script. While the console
 * is being built, its pages are 503 and load again by themselves.
 */
export async function serveConsole(app: FastifyInstance, directory = consoleDirectory): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: directory,
      serve: false,
      index: false,
      dotfiles: 'ignore',
      // The build can end after the start of the service.
      suppressWarning: true,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, file) => {
        for (const [name, value] of Object.entries(securityHeaders)) response.header(name, value);
        // The content of a name with a hash never changes.
        const isHashed = path.basename(path.dirname(file)) === 'assets';
        response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    const options = { schema: { hide: true }, compress: false } as const;
    scope.get('/', options, (request, reply) => {
      reply.header('vary', 'accept, sec-fetch-mode');
      return reply.redirect(isNavigation(request) ? 'console' : 'docs', 302);
    });
    scope.get('/console', options, (_request, reply) => sendPage(directory, reply));
    scope.get<{ Params: { '*': string } }>('/console/*', options, async (request, reply) => {
      const file = request.params['*'];
      if (/^(?:assets\/[\w-][\w.-]*|[\w-]+\.(?:js|svg))$/.test(file)) return reply.sendFile(file);
      if (/^assets(?:\/|$)/.test(file) || !isNavigation(request)) {
        throw notFound('page of the console at this path');
      }
      return sendPage(directory, reply);
    });
  });
}
