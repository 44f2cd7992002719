import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the OpenAPI 3.1 description at `/openapi.json` and a browsable page at `/docs`; neither needs a key.
 *
 * Call it before any route is made. `publicUrl` is the address under which clients reach the service; without it the description names
 * the address that it was read from.
 */
export async function serveOpenApi(app: FastifyInstance, publicUrl: string | undefined): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Roster', version: '0.1.0' },
      servers: [{ url: publicUrl ?? '/' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
          operatorToken: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    convertConstToEnum: false,
    // A public address with a path is where a proxy puts the whole interface; the paths themselves stay as they are.
    stripBasePath: false,
    refResolver: { buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `Schema${index}`) },
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
