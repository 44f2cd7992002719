import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import fresh from 'fresh';
import type { FastifyInstance } from 'fastify';

interface PreparedFile {
  readonly etag: string;
  readonly body: Buffer;
}

const compress = promisify(gzip);

/** Serves the OpenAPI description at `/openapi.json`, made and compressed once, with an ETag. */
export function serveOpenApiFile(app: FastifyInstance): void {
  let prepared: Promise<Record<'gzip' | 'identity', PreparedFile>> | undefined;

  async function prepare(): Promise<Record<'gzip' | 'identity', PreparedFile>> {
    const body = Buffer.from(JSON.stringify(app.swagger()));
    const tag = createHash('sha256').update(body).digest('base64url').slice(0, 27);
    return {
      identity: { etag: `"${tag}"`, body },
      gzip: { etag: `"${tag}-gzip"`, body: await compress(body, { level: constants.Z_BEST_COMPRESSION }) },
    };
  }

  app.get('/openapi.json', { schema: { hide: true }, compress: false }, async ({ headers }, reply) => {
    prepared ??= prepare();
    const encoding = acceptsGzip(headers['accept-encoding']) ? 'gzip' : 'identity';
    const { etag, body } = (await prepared)[encoding];
    const vary = [reply.getHeader('vary'), 'accept-encoding'].filter((name) => name !== undefined).join(', ');
    reply.headers({ etag, vary, 'cache-control': 'no-cache' });
    if (fresh(headers, { etag })) return reply.code(304).send();
    if (encoding === 'gzip') reply.header('content-encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(body);
  });
}

/** True when a client accepts gzip or everything, and does not exclude it (`q=0`). */
function acceptsGzip(header: unknown): boolean {
  return (
    typeof header === 'string' &&
    /(?:^|,)\s*(?:x-)?(?:gzip|\*)\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;[^,]*)?(?:,|$)/i.test(header)
  );
}
