import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import { confirmSignUp, linkState } from './sign-ups.ts';
import { clickedPages, openedPages, pageHeaders, renderPage, type Page } from './verify-page.ts';

interface Link {
  readonly Params: { readonly token: string };
}

/** Serves the public page that confirms a sign-up with one click. The page needs no script. */
export function verifyRoutes(app: FastifyInstance, service: Service): void {
  // A form without fields sends an empty body. Its content type does not matter.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 4096 }, (_request, _body, done) =>
    done(null, undefined),
  );
  // The page also has the prefix of the operator API.
  for (const prefix of ['', '/admin/v1']) {
    app.get<Link>(`${prefix}/verify/:token`, { schema: { hide: true } }, async ({ params }, reply) =>
      send(reply, openedPages[await linkState(service.context, params.token)]),
    );
    app.post<Link>(`${prefix}/verify/:token`, { schema: { hide: true } }, async ({ params, id }, reply) =>
      send(reply, clickedPages[await confirmSignUp(service, params.token, id)]),
    );
  }
}

function send(reply: FastifyReply, page: Page): FastifyReply {
  return reply.code(page.status).headers(pageHeaders).send(renderPage(page));
}
