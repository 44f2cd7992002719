import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { type ApiError, notFound } from '#platform/errors/api-error.ts';
import { markup, type Markup } from '#platform/text/markup.ts';
import { isNavigation } from '../console/pages.ts';
import { securityHeaders } from '../console/security-headers.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { renderMarkdown } from './markdown/markdown.ts';
import { framePage, type PageFrame } from './page-frame.ts';
import { documentationRoot, readDocuments, resolveLink, type Documents } from './read-documents.ts';
import { groupPage, groupsOf, overviewPage, type OperationGroup } from './reference/reference-pages.ts';
import { placesOf, renderFound, searchPlaces } from './search-documents.ts';

/** Everything that pages are made of. It does not change while the process runs. */
interface Sources {
  readonly documents: Documents;
  readonly openApi: OpenApiDocument;
  readonly groups: readonly OperationGroup[];
  readonly places: ReturnType<typeof placesOf>;
}

/** Files from the service only, and no inline script or style. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  // The forms of the reference call the service that serves the page.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const options = { schema: { hide: true } } as const;

const assets = path.join(import.meta.dirname, 'assets');

/**
 * Serves the documentation at `/docs`, without authentication: the documents of the folder `docs`,
 * a search in them, and the reference of all operations at `/docs/api`.
 *
 * A page is made at its first request. Most people never open most pages.
 */
export async function serveDocumentation(app: FastifyInstance): Promise<void> {
  let sources: Promise<Sources> | undefined;
  const pages = new Map<string, string>();

  /** Reads the sources once. If that fails, the next request tries again. */
  function loadSources(): Promise<Sources> {
    sources ??= readSources(app).catch((error: unknown) => {
      sources = undefined;
      throw error;
    });
    return sources;
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply, address: string): Promise<FastifyReply> {
    const known = await loadSources();
    const page = pages.get(address) ?? makePage(known, address);
    if (page === undefined) return sendMissing(request, reply, known);
    pages.set(address, page);
    return send(request, reply, page);
  }

  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { root: assets, serve: false, cacheControl: false });
    scope.get('/docs', options, (request, reply) => sendPage(request, reply, ''));
    scope.get<{ Querystring: Record<string, unknown> }>('/docs/search', options, async (request, reply) => {
      const known = await loadSources();
      const words = typeof request.query['q'] === 'string' ? request.query['q'].slice(0, 200) : '';
      const content = renderFound(words, searchPlaces(known.places, words));
      return send(request, reply, framePage({ ...frameOf(known, 'search', 'Search'), words }, content));
    });
    for (const [folder, files] of [
      ['assets', assets],
      ['images', path.join(documentationRoot, 'docs/images')],
    ] as const) {
      scope.get<{ Params: { file: string } }>(
        `/docs/${folder}/:file`,
        { ...options, compress: false },
        async (request, reply) => {
          const { file } = request.params;
          if (!/^[\w-]+\.(?:css|js|png)$/.test(file)) throw missing();
          await access(path.join(files, file)).catch(() => {
            throw missing();
          });
          reply.headers(securityHeaders).header('cache-control', 'no-cache');
          return reply.sendFile(file, files);
        },
      );
    }
    scope.get<{ Params: { '*': string } }>('/docs/*', options, (request, reply) =>
      sendPage(request, reply, request.params['*'].replace(/\/$/, '')),
    );
  });
}

async function readSources(app: FastifyInstance): Promise<Sources> {
  const documents = await readDocuments();
  const openApi = app.swagger() as unknown as OpenApiDocument;
  const groups = groupsOf(openApi);
  const operations = groups.flatMap(({ slug, name, operations }) =>
    operations.map(({ operation, path: address, method }) => ({
      title: `API reference, ${name}`,
      section: operation.summary,
      address: `/docs/api/${slug}#${operation.operationId}`,
      text: `${method} ${address} ${operation.operationId} ${operation.description}`,
    })),
  );
  return { documents, openApi, groups, places: [...placesOf(documents), ...operations] };
}

function frameOf({ documents, groups }: Sources, address: string, title: string): PageFrame {
  return { title, path: address, documents, groups: new Map(groups.map(({ slug, name }) => [slug, name])) };
}

/** Makes the page at an address below `/docs`; undefined if there is none. */
function makePage(sources: Sources, address: string): string | undefined {
  const { documents, openApi, groups } = sources;
  const document = documents.get(address);
  if (document !== undefined) {
    const content = renderMarkdown(document.text, {
      resolve: (target) => resolveLink(documents, document.file, target),
    });
    const { title, sections } = document;
    return framePage({ ...frameOf(sources, address, title), sections }, content);
  }
  const wide = (title: string, content: Markup): string =>
    framePage({ ...frameOf(sources, address, title), isWide: true }, content);
  if (address === 'api') return wide('API reference', overviewPage(openApi, groups));
  const group = groups.find(({ slug }) => address === `api/${slug}`);
  return group && wide(`${group.name}: API reference`, groupPage(openApi, group));
}

/** Responds with 404: to a browser with a page, to programs with JSON. */
function sendMissing(request: FastifyRequest, reply: FastifyReply, sources: Sources): FastifyReply {
  if (!isNavigation(request)) throw missing();
  const content = markup`<h1>This page does not exist</h1>
<p>The address is wrong, or the page has moved. <a href="/docs">Go to the beginning of the documentation</a>, or search
it above.</p>
`;
  reply.headers({ ...securityHeaders, 'content-security-policy': policy, 'cache-control': 'no-cache' });
  reply.header('vary', 'accept, sec-fetch-mode').type('text/html; charset=utf-8');
  return reply.code(404).send(framePage(frameOf(sources, 'missing', 'This page does not exist'), content));
}

const missing = (): ApiError => notFound('page of the documentation at this path');

/** Sends a page. A browser asks again for each use, and gets 304 if the page is the same. */
function send(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const etag = `W/"${createHash('sha256').update(page).digest('base64url').slice(0, 27)}"`;
  reply.headers({ ...securityHeaders, 'content-security-policy': policy, 'cache-control': 'no-cache', etag });
  if (fresh(request.headers, { etag })) return reply.code(304).send();
  return reply.type('text/html; charset=utf-8').send(page);
}
