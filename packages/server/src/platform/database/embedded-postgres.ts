import * as embedded from '@roster/embedded-postgres';

/** The names and the advice that Roster gives to its embedded PostgreSQL. An existing data directory depends on `name` and `database`. */
const application: embedded.Application = {
  name: 'roster',
  database: 'roster',
  title: 'Roster',
  dataDirSetting: 'ROSTER_DATA_DIR',
  useOtherServer: 'set DATABASE_URL to a PostgreSQL server of your own, version 15 to 18',
  upgradeGuide: 'docs/operations.md has the commands.',
};

type Options<T> = Omit<T, 'application'>;

/** Starts the embedded PostgreSQL of Roster on a data directory; see the function of the same name in the package. */
export const startEmbeddedPostgres = (
  options: Options<embedded.EmbeddedPostgresOptions>,
): Promise<embedded.EmbeddedPostgres> => embedded.startEmbeddedPostgres({ ...options, application });

/** Starts a PostgreSQL like Roster's on a temporary directory; see the function of the same name in the package. */
export const startThrowawayPostgres = (settings?: embedded.PostgresSettings): Promise<embedded.EmbeddedPostgres> =>
  embedded.startThrowawayPostgres({ application, ...(settings === undefined ? {} : { settings }) });

/** Connection URL of the server that a service runs on a data directory now; undefined when none does. */
export const runningServerUrl = (dataDir: string): Promise<string | undefined> =>
  embedded.runningServerUrl(dataDir, { application });

/** Whether a data directory has a database, running or not. */
export const hasCluster = (dataDir: string): Promise<boolean> => embedded.hasCluster(dataDir, { application });

/** Takes a data directory for this process, to make a database in it from the files of a backup. */
export const holdDataDirectory = (
  options: Options<embedded.HeldDataDirectoryOptions>,
): Promise<embedded.HeldDataDirectory> => embedded.holdDataDirectory({ ...options, application });

/** Makes a data directory unless it exists, and returns its real path. */
export const prepareDirectory = (directory: string): Promise<string> =>
  embedded.prepareDirectory(directory, application);
