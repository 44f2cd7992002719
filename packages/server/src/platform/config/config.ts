import { settings, type Setting } from './settings.ts';

/** The configuration of one process: every setting with its value. */
export type Config = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

/** A configuration that cannot be used: lists every faulty variable, so that one start shows all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/**
 * Reads the configuration from environment variables; the only place that does.
 *
 * Blank variables count as unset. Throws a {@link ConfigError} that names every faulty variable, never its value
 * (it may be a secret), and every combination that makes no sense.
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
      `ROSTER_ROLE=${config.role} needs DATABASE_URL: the embedded PostgreSQL belongs to one service with ROSTER_ROLE=all.`,
    );
  }
  // A sender that is made up, such as one of the host name, is refused by most servers, and mails would fail one by one.
  if (config.smtpServer !== undefined && (env[settings.mailFrom.env]?.trim() ?? '') === '') {
    faults.push('SMTP_URL needs ROSTER_MAIL_FROM: mail servers refuse senders that they do not know.');
  }
  if (config.backupSchedule !== undefined && config.backupTo === undefined) {
    faults.push('ROSTER_BACKUP_SCHEDULE needs ROSTER_BACKUP_TO: the place that backups go to.');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
