import { tags } from '@roster/contract/operations';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import packageFile from '../../../../package.json' with { type: 'json' };
import { serveOpenApiFile } from './openapi-file.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { finishDocument } from './describe.ts';
import type { OpenApiDocument } from './document.ts';
import { description, securitySchemes } from './introduction.ts';
import { pageOptions } from './page-options.ts';

/**
 * Serves the OpenAPI 3.1 description at `/openapi.json` and a browsable page at `/docs`, without
 * authentication.
 *
 * Call it before the routes. `publicUrl` is the address under which clients reach the service.
 * Without it, the description refers to the address it was read from.
 */
export async function serveOpenApi(app: FastifyInstance, publicUrl: string | undefined): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Roster',
        version: packageFile.version,
        description,
        license: { name: packageFile.license, identifier: packageFile.license },
      },
      servers: [{ url: publicUrl ?? '/' }],
      tags: [...tags],
      components: { securitySchemes },
    },
    convertConstToEnum: false,
    // If the public address has a path, a proxy adds that path. The paths themselves do not change.
    stripBasePath: false,
    refResolver: { buildLocalReference: (schema) => schema.$id as string },
    transform: ({ schema, url }) => ({ schema: withReferences(schema), url }),
    transformObject: (input) =>
      'openapiObject' in input ? (finishDocument(input.openapiObject as unknown as OpenApiDocument) as object) : {},
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', onlyOneDescription);
    scope.addHook('onSend', readPublicDescription);
    await scope.register(swaggerUi, pageOptions);
  });
  serveOpenApiFile(app);
}

// The library also serves the description at these paths, and its page reads the first of them.
// We remove the copies, because people copy the address that the page shows, and only /openapi.json
// is documented and stable.
const copies = new Set(['/docs/json', '/docs/yaml']);

async function onlyOneDescription(request: FastifyRequest): Promise<void> {
  if (copies.has(request.routeOptions.url ?? ''))
    throw new ApiError('not_found', { params: { what: 'page here. The description is at /openapi.json' } });
}

async function readPublicDescription(
  request: FastifyRequest,
  _reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (!request.url.endsWith('/swagger-initializer.js') || typeof payload !== 'string') return payload;
  return payload.replace("resolveUrl('./json')", "resolveUrl('../openapi.json')");
}

/** Replaces named shapes by references, so that each appears once in the description. */
function withReferences(schema: FastifySchema): FastifySchema {
  const { body, response } = schema;
  return {
    ...schema,
    ...(body === undefined ? {} : { body: reference(body) }),
    ...(response === undefined
      ? {}
      : {
          response: Object.fromEntries(
            Object.entries(response as object).map(([status, shape]) => [status, reference(shape)]),
          ),
        }),
  };
}

function reference(shape: unknown): unknown {
  const { $id, description: text } = shape as { $id?: string; description?: string };
  if ($id === undefined) return shape;
  return { $ref: `${$id}#`, ...(text === undefined ? {} : { description: text }) };
}
