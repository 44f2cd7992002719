/**
 * The names that a program gives to what the embedded server makes, and how messages speak of the
 * program.
 */
export interface Application {
  /**
   * Names processes (`cluster_name`), `/var/lib/<name>` and `~/.cache/<name>`; default
   * `embedded-postgres`. Lower-case letters, digits, `-` and `_`, beginning with a letter.
   */
  readonly name: string;
  /**
   * Name of the database and of its superuser; default `postgres`. A data directory keeps the one
   * that it was made with.
   */
  readonly database: string;
  /** The program in messages; default `the program`. */
  readonly title: string;
  /** The setting with which users of the program choose the data directory; default `dataDir`. */
  readonly dataDirSetting: string;
  /**
   * The advice to use another server, as a clause; default `use a PostgreSQL server of your own`.
   */
  readonly useOtherServer: string;
  /** Where users find out how to move to another major version, as a sentence; empty by default. */
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

/**
 * Adds the defaults. Throws a `TypeError` for a name that would need quoting in a process title, a
 * path or a URL.
 */
export function applicationFrom(given: Partial<Application> = {}): Application {
  const application = { ...defaults, ...given };
  for (const key of ['name', 'database'] as const) {
    if (!/^[a-z][a-z0-9_-]{0,40}$/.test(application[key])) {
      throw new TypeError(
        `The ${key} of an application must begin with a lower-case letter and have up to 41 lower-case letters, digits, - and _; it is ${JSON.stringify(application[key])}.`,
      );
    }
  }
  return application;
}

/** A clause as a sentence. */
export const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
