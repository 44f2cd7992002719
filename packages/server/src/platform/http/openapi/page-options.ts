import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';

/** The browsable page: everything comes from the service itself, and the browser is told to refuse anything else. */
export const pageOptions: FastifySwaggerUiOptions = {
  routePrefix: '/docs',
  theme: { title: 'Roster API' },
  staticCSP: [
    "default-src 'none'",
    "script-src 'self'",
    // The page sets styles on elements; style attributes cannot load anything.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    // "Try it out" calls the service that serves the page.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  uiConfig: {
    // Without the bar in which another description can be loaded from anywhere.
    layout: 'BaseLayout',
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
  },
};
