import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';

/** Options of the browsable page. The browser accepts only files from the service itself. */
export const pageOptions: FastifySwaggerUiOptions = {
  routePrefix: '/docs',
  theme: { title: 'Roster API' },
  staticCSP: [
    "default-src 'none'",
    "script-src 'self'",
    // The page sets inline styles, which cannot load anything.
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
    // This layout lacks the bar that can load another description from anywhere.
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
