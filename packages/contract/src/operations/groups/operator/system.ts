import { System } from '../../../shapes/service/system.ts';
import { operation } from '../../definition/operation.ts';

/** The installation. */
export const systemOperations = {
  getSystem: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/system',
    permission: 'installation',
    repeat: 'harmless',
    tag: 'System',
    summary: 'Get the state of the installation',
    description:
      'Returns the versions, the size of the database, the free disk space, the number of worker processes, the requests that wait, and the last backups.',
    answer: System,
  }),
};
