import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import { confirmSignUp, findLink, type LinkView } from './sign-ups.ts';
import { clickedPage, languageOf, openedPage, pageHeaders, renderPage, statusOf } from './verify-page.ts';

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
    app.get<Link>(`${prefix}/verify/:token`, { schema: { hide: true } }, async (request, reply) => {
      const link = await findLink(service.context, request.params.token);
      return send(request, reply, openedPage(link), link);
    });
    app.post<Link>(`${prefix}/verify/:token`, { schema: { hide: true } }, async (request, reply) => {
      const link = await confirmSignUp(service, request.params.token, request.id);
      return send(request, reply, clickedPage(link), link);
    });
  }
}

function send(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  shown: ReturnType<typeof openedPage>,
  { accountName }: LinkView,
): FastifyReply {
  const page = renderPage(shown, languageOf(headers['accept-language']), accountName);
  return reply.code(statusOf(shown)).headers(pageHeaders).send(page);
}
