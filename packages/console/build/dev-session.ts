import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin, ProxyOptions } from 'vite';

/** Paths of the service that the console uses. */
const paths = ['/admin', '/v5', '/v4', '/openapi.json', '/docs', '/files', '/healthz'];

/**
 * Passes requests of the development server to a running service. With `ROSTER_ADMIN_TOKEN`, they
 * have the operator token, and the session is that of a person with all rights. So no sign-in is
 * needed during development.
 */
export function devServices(target: string): Plugin {
  const token = process.env['ROSTER_ADMIN_TOKEN'];
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const proxy: Record<string, ProxyOptions> = Object.fromEntries(
    paths.map((path) => [path, { target, headers, changeOrigin: true }]),
  );
  return {
    name: 'roster-service',
    apply: 'serve',
    config: () => ({ server: { host: '127.0.0.1', port: 5173, proxy } }),
    configureServer({ middlewares }) {
      if (token === undefined) return;
      middlewares.use((request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => {
        if (request.method !== 'GET' || request.url !== '/admin/v1/session') return next();
        operatorSession(target, token).then((session) => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(session));
        }, next);
      });
    },
  };
}

/** Rights of an owner. */
const nouns = 'contacts attributes lists segments imports activity account api-keys members callbacks privacy'.split(
  ' ',
);
const permissions = nouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`]);
const more = ['exports:read', 'export', 'requests:read', 'mails:read', 'audit-log:read', 'account:delete', 'unmasked'];

/** Returns the session of an owner of all accounts. */
async function operatorSession(target: string, token: string): Promise<object> {
  const response = await fetch(`${target}/admin/v1/accounts`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`the service answers ${response.status}: check ROSTER_ADMIN_TOKEN`);
  const { data } = (await response.json()) as { data: { account_id: number; name: string | null }[] };
  const accounts = data.map(({ account_id, name }) => ({
    account_id,
    name,
    role: 'owner',
    unmasked: true,
    permissions: [...permissions, ...more],
  }));
  const facts = { user_id: 0, name: 'Development', email: 'development@localhost', language: null };
  return {
    person: { ...facts, is_installation_admin: true, accounts },
    needs_set_up: false,
    single_sign_on: null,
    public_url: null,
    mail: false,
  };
}
