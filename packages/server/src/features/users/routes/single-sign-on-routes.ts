import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import type { CookieRequest } from '../sessions/cookies.ts';
import type { IdentityProvider } from '../single-sign-on/provider.ts';
import { refusalPage, SignInRefusal } from '../single-sign-on/refusal.ts';
import { safeReturnAddress } from '../single-sign-on/return-address.ts';
import { beginSingleSignOn, endSingleSignOn } from '../single-sign-on/single-sign-on.ts';

interface StartQuery {
  readonly Querystring: { readonly return_to?: unknown };
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** The two addresses of single sign-on. A browser opens them, so they redirect or show a page. */
export function singleSignOnRoutes(app: FastifyInstance, { context }: Service): void {
  const options = { schema: { hide: true } };

  app.get<StartQuery>('/admin/v1/single-sign-on/start', options, (request, reply) =>
    respond(reply, async () => {
      await context.signInLimits.start(request.ip);
      const { return_to: returnTo } = request.query;
      const address = safeReturnAddress(typeof returnTo === 'string' ? returnTo : undefined);
      const { href } = await beginSingleSignOn(context, cookieRequest(request, reply), provider(), address);
      return href;
    }),
  );

  app.get('/admin/v1/single-sign-on/callback', options, (request, reply) =>
    respond(reply, () => {
      const query = request.url.split('?').slice(1).join('?');
      return endSingleSignOn(context, cookieRequest(request, reply), provider(), query);
    }),
  );

  function provider(): IdentityProvider {
    const { identityProvider } = context;
    if (identityProvider === undefined) throw notFound('identity provider');
    return identityProvider;
  }

  /** Redirects to an address, or shows why the sign-in was refused. */
  async function respond(reply: FastifyReply, work: () => Promise<string>): Promise<FastifyReply> {
    try {
      return await reply.redirect(await work(), 303);
    } catch (error) {
      const refusal =
        error instanceof ApiError && error.code === 'too_many_sign_ins' ? new SignInRefusal('busy') : error;
      if (!(refusal instanceof SignInRefusal)) throw error;
      // The code of an error of the library says what is wrong. Its message can contain claims.
      const { code } = (refusal.cause ?? {}) as { readonly code?: string };
      context.log.warn({ reason: refusal.reason, code }, 'a single sign-on was refused');
      const page = refusalPage(refusal);
      return reply.code(page.status).headers(pageHeaders).send(html(page));
    }
  }
}

function cookieRequest(incoming: FastifyRequest, reply: FastifyReply): CookieRequest {
  return { incoming, setHeader: (name, value) => void reply.header(name, value) };
}

/** Renders a page. Its texts are constants, so nothing needs to be escaped. */
function html({ title, text }: { readonly title: string; readonly text: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif }
  main { max-width: 32rem; margin: 20vh auto; padding: 0 1rem; text-align: center }
</style>
<main><h1>${title}</h1><p>${text}</p><p><a href="/console/sign-in">Back to the sign-in</a></p></main>
</html>
`;
}
