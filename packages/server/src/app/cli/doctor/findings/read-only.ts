import { fault, type Finding } from './finding.ts';

/**
 * Returns the finding about a server that refuses writes. `server`: what it is, such as `database
 * server`. `primary`: what to do when another server is the primary.
 */
export function readOnlyFault(
  server: string,
  reason: 'standby' | 'default_transaction_read_only',
  primary: string,
): Finding {
  return reason === 'standby'
    ? fault(`The ${server} is read-only, because it is a standby.`, `${primary}, or promote this server.`)
    : fault(
        `The ${server} is read-only: default_transaction_read_only is on.`,
        'Turn it off in postgresql.conf, or for the role or the database.',
      );
}
