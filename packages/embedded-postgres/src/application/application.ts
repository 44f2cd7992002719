/** The names of processes, directories and the database, and the words for messages. */
export interface Application {
  /**
   * Name of processes (`cluster_name`), `/var/lib/<name>` and `~/.cache/<name>`; default:
   * `embedded-postgres`. Lower-case letters, digits, `-` and `_`, beginning with a letter.
   */
  readonly name: string;
  /**
   * Name of the database and of its superuser; default: `postgres`. You cannot change it for an
   * existing data directory.
   */
  readonly database: string;
  /** Name of the program in messages; default: `the program`. */
  readonly title: string;
  /** Name of the setting for the data directory, in messages; default: `dataDir`. */
  readonly dataDirSetting: string;
  /** Advice to use another server, as a clause; default: `use a PostgreSQL server of your own`. */
  readonly useOtherServer: string;
  /** A sentence that tells how to upgrade to another major version; default: empty. */
  readonly upgradeGuide: string;
}

const defaults: Application = {
  name: 'embedded-postgres',
  database: 'postgres',
  title: 'the program',
  dataDirSetting: 'dataDir',
  useOtherServer: 'use a PostgreSQL server of your own',
  upgradeGuide: '',
};

/** Adds the defaults. Throws a `TypeError` for an invalid name. */
export function applicationFrom(given: Partial<Application> = {}): Application {
  const application = { ...defaults, ...given };
  for (const key of ['name', 'database'] as const) {
    if (!/^[a-z][a-z0-9_-]{0,40}$/.test(application[key])) {
      throw new TypeError(
        `The ${key} of an application must have 1 to 41 lower-case letters, digits, - and _, and begin with a letter. It is ${JSON.stringify(application[key])}.`,
      );
    }
  }
  return application;
}

/** Turns a clause into a sentence. */
export const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
