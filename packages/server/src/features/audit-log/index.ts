import type { Feature } from '#platform/feature.ts';
import { auditLogRoutes } from './routes.ts';

/** Lists the audit log for operators. */
export const auditLog: Feature = {
  name: 'audit-log',
  routes: { operator: [auditLogRoutes] },
};
