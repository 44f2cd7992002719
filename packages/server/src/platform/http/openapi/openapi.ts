import { tags } from '@roster/contract/operations';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import packageFile from '../../../../package.json' with { type: 'json' };
import { serveOpenApiFile } from './openapi-file.ts';
import { finishDocument } from './describe.ts';
import type { OpenApiDocument } from './document.ts';
import { description, securitySchemes } from './introduction.ts';

/**
 * Serves the OpenAPI 3.1 description at `/openapi.json`, without authentication.
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
  serveOpenApiFile(app);
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
