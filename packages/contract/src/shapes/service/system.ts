import { Type, type Static } from 'typebox';

const integer = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const nullableMoment = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

/** The state of the installation. */
export const System = Type.Object(
  {
    version: Type.String({ description: 'Version of Roster.', examples: ['1.0.0'] }),
    node_version: Type.String({ description: 'Version of Node.js.', examples: ['24.11.0'] }),
    database: Type.Object({
      version: Type.String({ description: 'Version of PostgreSQL.', examples: ['18.1'] }),
      size: integer('Size of the database in bytes, with the nodes of a cluster that respond.', 1_250_000_000),
      connections: integer('Open connections to the database.', 24),
      max_connections: integer('Maximum number of connections.', 100),
    }),
    disk: Type.Object(
      {
        total: integer('Size in bytes.', 100_000_000_000),
        free: integer('Free bytes.', 64_000_000_000),
      },
      { description: 'The disk with the data directory of the process that answers.' },
    ),
    files: Type.Object({
      place: Type.Enum(['disk', 's3'], { description: 'Where the files of exports and imports are.' }),
    }),
    processes: Type.Object({
      api: integer('Running API processes.', 1),
      workers: integer('Running worker processes.', 1),
    }),
    pipeline: Type.Object({
      waiting_requests: integer('Requests that wait in the pipeline, of all accounts. At most 10,000.', 0),
      oldest_waiting: nullableMoment('When the oldest of them was accepted.'),
      waiting_accounts: Type.Array(
        Type.Object({
          account_id: Type.Integer({ examples: [2] }),
          name: Type.String({ examples: ['Example Shop'] }),
          buckets: integer('Setting of the account: how many parts of its contacts workers can serve at a time.', 1),
          waiting_requests: integer('Its requests that wait. At most 10,000.', 12),
          oldest_waiting: Type.String({ format: 'date-time', description: 'When the oldest of them was accepted.' }),
        }),
        { description: 'The accounts whose oldest request has waited the longest, at most ten.' },
      ),
    }),
    backups: Type.Array(
      Type.Object({
        kind: Type.Enum(['database', 'files']),
        status: Type.Enum(['running', 'completed', 'failed']),
        name: Type.String({ examples: ['roster-2026-03-01'] }),
        started_at: Type.String({ format: 'date-time' }),
        finished_at: nullableMoment('When it ended.'),
        size: Type.Union([Type.Integer(), Type.Null()], { description: 'Size in bytes.' }),
        error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
      }),
      { description: 'The last backups, newest first.' },
    ),
    backups_are_scheduled: Type.Boolean({ description: 'True if `ROSTER_BACKUP_SCHEDULE` is set.' }),
  },
  { $id: 'System', description: 'The version and state of the installation.' },
);

export type System = Static<typeof System>;
