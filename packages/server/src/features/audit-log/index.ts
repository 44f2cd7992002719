import type { Feature } from '#platform/feature.ts';
import { auditLogRoutes } from './routes.ts';

/** The operator's view of the audit log. */
export const auditLog: Feature = {
  name: 'audit-log',
  routes: { operator: [auditLogRoutes] },
};
