import { settings, type Setting } from './settings.ts';

/** The configuration of one process: the value of every setting. */
export type Config = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

/** The configuration is invalid. The error lists every faulty variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

// Names that are not settings: those of the command line, of tests, and those that Kubernetes gives
// every container of a namespace with a service named roster.
const otherNames = /^ROSTER_(URL|TOKEN|ACCOUNT|TEST_.*|SERVICE_.*|PORT(_.*)?)$/;

/** Returns the environment variables that look like settings, but are none: misspelled or former ones. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const known = new Set<string>(Object.values(settings).map((setting) => setting.env));
  return Object.keys(env)
    .filter((name) => name.startsWith('ROSTER_') && !known.has(name) && !otherNames.test(name))
    .sort();
}

/**
 * Reads the configuration from environment variables. No other code reads them.
 *
 * Blank variables count as unset. Throws a {@link ConfigError} that names every faulty variable and
 * combination. It never shows a value, which may be a secret.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const text = env[setting.env]?.trim();
    if (text === undefined || text === '') return setting.fallback;
    try {
      return setting.parse(text);
    } catch (error) {
      faults.push(`${setting.env} ${error instanceof Error ? error.message : String(error)}.`);
      return setting.fallback;
    }
  };
  const config = Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, read(setting)])) as Config;
  if (config.role !== 'all' && config.databaseUrl === undefined) {
    faults.push(
      `ROSTER_ROLE=${config.role} needs DATABASE_URL. The embedded PostgreSQL works only with ROSTER_ROLE=all.`,
    );
  }
  // There is no default sender: most servers would refuse a made-up one, and each mail would fail.
  if (config.smtpServer !== undefined && (env[settings.mailFrom.env]?.trim() ?? '') === '') {
    faults.push('SMTP_URL needs ROSTER_MAIL_FROM. Mail servers refuse unknown senders.');
  }
  const { oidcIssuer, oidcClientId, oidcClientSecret, publicUrl } = config;
  if (oidcIssuer !== undefined && [oidcClientId, oidcClientSecret, publicUrl].includes(undefined)) {
    faults.push('ROSTER_OIDC_ISSUER needs ROSTER_OIDC_CLIENT_ID, ROSTER_OIDC_CLIENT_SECRET and ROSTER_PUBLIC_URL.');
  }
  if ((config.ownerEmail === undefined) !== (config.ownerPassword === undefined)) {
    faults.push('ROSTER_OWNER_EMAIL and ROSTER_OWNER_PASSWORD need each other.');
  }
  if (config.backupSchedule !== undefined && config.backupTo === undefined) {
    faults.push('ROSTER_BACKUP_SCHEDULE needs ROSTER_BACKUP_TO, the place for the backups.');
  }
  if (config.layout === 'citus') {
    if (config.databaseUrl === undefined)
      faults.push('ROSTER_LAYOUT=citus needs DATABASE_URL, the URL of the coordinator.');
    if (config.replicaUrls.length > 0)
      faults.push('ROSTER_REPLICA_URL cannot be used with ROSTER_LAYOUT=citus: a cluster has no read replicas.');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
