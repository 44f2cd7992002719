import * as embedded from '@roster/embedded-postgres';

/** The names of the embedded PostgreSQL. Existing data needs the same `name` and `database`. */
const application: embedded.Application = {
  name: 'roster',
  database: 'roster',
  title: 'Roster',
  dataDirSetting: 'ROSTER_DATA_DIR',
  useOtherServer: 'set DATABASE_URL to a PostgreSQL server of your own, version 15 to 18',
  upgradeGuide: 'docs/operations.md has the commands.',
};

type Options<T> = Omit<T, 'application'>;

/** Starts the embedded PostgreSQL on a data directory, see `embedded.startEmbeddedPostgres`. */
export const startEmbeddedPostgres = (
  options: Options<embedded.EmbeddedPostgresOptions>,
): Promise<embedded.EmbeddedPostgres> => embedded.startEmbeddedPostgres({ ...options, application });

/** Starts a PostgreSQL on a temporary directory, see `embedded.startThrowawayPostgres`. */
export const startThrowawayPostgres = (settings?: embedded.PostgresSettings): Promise<embedded.EmbeddedPostgres> =>
  embedded.startThrowawayPostgres({ application, ...(settings === undefined ? {} : { settings }) });

/** Returns the URL of the server that runs on a data directory; undefined when none runs. */
export const runningServerUrl = (dataDir: string): Promise<string | undefined> =>
  embedded.runningServerUrl(dataDir, { application });

/** Tells whether a data directory contains a database, running or not. */
export const hasCluster = (dataDir: string): Promise<boolean> => embedded.hasCluster(dataDir, { application });

/** Locks a data directory for this process, to restore the files of a backup into it. */
export const holdDataDirectory = (
  options: Options<embedded.HeldDataDirectoryOptions>,
): Promise<embedded.HeldDataDirectory> => embedded.holdDataDirectory({ ...options, application });

/** Creates a data directory if it does not exist, and returns its real path. */
export const prepareDirectory = (directory: string): Promise<string> =>
  embedded.prepareDirectory(directory, application);
