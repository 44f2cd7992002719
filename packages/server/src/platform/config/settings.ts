import path from 'node:path';
import { readHosts } from './host-name.ts';
import { readBackupPlace, type BackupPlace } from './backup-place.ts';
import { readSchedule } from './backup-schedule.ts';
import { nothingAllowed, parseAllowList } from './allow-list.ts';
import { readMailSender, type MailSender } from './mail-sender.ts';
import { readSmtpServer, type SmtpServer } from './smtp-server.ts';
import { readS3Place, type S3Place } from './s3-place.ts';

/**
 * One line of the settings table: where a value comes from, what it is by default, how it is read.
 * `docs/config.md` is generated from this table, so the texts are written for operators.
 */
export interface Setting<T> {
  /** Name of the environment variable. */
  readonly env: string;
  /** What the setting does: one or two sentences for an operator. */
  readonly doc: string;
  /** Value when the variable is unset or blank. */
  readonly fallback: T;
  /** How the default is shown in the documentation, where the plain value would not help. */
  readonly shownDefault?: string;
  /** Turns the text of the variable into the value; throws an Error whose message says what is allowed. */
  readonly parse: (text: string) => T;
}

const text = (value: string): string => value;

const oneOf =
  <T extends string>(...allowed: readonly T[]) =>
  (value: string): T => {
    const found = allowed.find((candidate) => candidate === value.toLowerCase());
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
    return found;
  };

const integer =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be an integer from ${min} to ${max}`);
    return number;
  };

const url =
  (...protocols: readonly string[]) =>
  (value: string): string => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed === undefined || !protocols.includes(parsed.protocol)) {
      throw new Error(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    }
    return value.replace(/\/$/, '');
  };

const secret =
  (minimum: number) =>
  (value: string): string => {
    if (value.length < minimum) throw new Error(`must have at least ${minimum} characters`);
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Error('must consist of printable ASCII characters without spaces');
    return value;
  };

function readOrigins(value: string): readonly string[] {
  const origins = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const origin of origins) {
    if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
      throw new Error('must be origins, separated by commas, such as `https://app.example.com`, without a path');
    }
  }
  return origins;
}

const define = <T>(setting: Setting<T>): Setting<T> => setting;

/** Every setting of the service, in the order of the documentation. */
export const settings = {
  port: define({
    env: 'PORT',
    doc: 'TCP port of the HTTP interface; 0 takes a free one.',
    fallback: 8080,
    parse: integer(0, 65_535),
  }),
  host: define({
    env: 'HOST',
    doc: 'Address that the HTTP interface listens on. Set it to `0.0.0.0` or `::` to serve other machines, behind a proxy that speaks TLS.',
    fallback: '127.0.0.1',
    parse: text,
  }),
  role: define({
    env: 'ROSTER_ROLE',
    doc: '`all` runs the HTTP interface and a worker, each in a process of its own; `api` and `worker` run one of them. Every process of a deployment shares one `DATABASE_URL`.',
    fallback: 'all',
    parse: oneOf('all', 'api', 'worker'),
  }),
  dataDir: define({
    env: 'ROSTER_DATA_DIR',
    doc: 'Directory for the embedded PostgreSQL, the operator token and files.',
    fallback: path.resolve('data'),
    shownDefault: './data',
    parse: (value) => path.resolve(value),
  }),
  databaseUrl: define({
    env: 'DATABASE_URL',
    doc: 'Connection URL of a PostgreSQL server, version 15 to 18. When it is unset, Roster starts an embedded PostgreSQL in the data directory.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: embedded PostgreSQL',
    parse: url('postgres:', 'postgresql:'),
  }),
  databasePoolSize: define({
    env: 'ROSTER_DATABASE_POOL_SIZE',
    doc: 'Database connections of one process, besides a few of its own (docs/operations.md counts them). An API process splits them between searches and everything else; a worker process has as many again for its jobs.',
    fallback: 20,
    parse: integer(4, 500),
  }),
  searchesPerAccount: define({
    env: 'ROSTER_SEARCHES_PER_ACCOUNT',
    doc: 'Searches of one account that one API process runs at the same time; further ones wait for their turn. The rest of the connections for searches is left to the other accounts: with a single account, set it to half of the pool size.',
    fallback: undefined as number | undefined,
    shownDefault: 'a sixth of `ROSTER_DATABASE_POOL_SIZE`, which is a third of the connections for searches',
    parse: integer(1, 250),
  }),
  largeBodies: define({
    env: 'ROSTER_LARGE_BODIES',
    doc: 'Requests with a body of more than 1 MiB, or one packed with gzip that may unpack to as much (more than 1016 bytes), that one API process works on at the same time, half of them at most for one account; further ones wait for their turn. The bytes of one take up to 48 MiB.',
    fallback: undefined as number | undefined,
    shownDefault: 'one for each 384 MiB of memory (of the container, if it has less than the machine), 2 to 16',
    parse: integer(1, 1000),
  }),
  workerLanes: define({
    env: 'ROSTER_WORKER_LANES',
    doc: 'How many accounts one worker serves at the same time. The requests of one account are always applied in the order of acceptance, by one worker at a time.',
    fallback: 2,
    parse: integer(1, 64),
  }),
  apiKey: define({
    env: 'ROSTER_API_KEY',
    doc: 'API key of the first account, used when the database has no account yet: at least 32 characters. When it is unset, a key is generated and printed once.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: generated, printed once',
    parse: secret(32),
  }),
  adminToken: define({
    env: 'ROSTER_ADMIN_TOKEN',
    doc: 'Token of the operator API: at least 32 characters. When it is unset, a token is generated and kept in `admin-token` in the data directory, readable by the owner only. Set it when several machines serve one database.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: generated, kept in the data directory',
    parse: secret(32),
  }),
  publicUrl: define({
    env: 'ROSTER_PUBLIC_URL',
    doc: 'Address under which clients reach the service; used in links and in the OpenAPI description.',
    fallback: undefined as string | undefined,
    shownDefault: 'http://HOST:PORT',
    parse: url('http:', 'https:'),
  }),
  allowedHosts: define({
    env: 'ROSTER_ALLOWED_HOSTS',
    doc: 'Further host names under which clients reach the service, without ports, separated by commas. The host of `ROSTER_PUBLIC_URL`, `HOST`, loopback, and the IP address at which a connection arrives are always allowed. A request for another host gets 421, so that a foreign web page cannot reach the service by DNS rebinding. `*` allows every host.',
    fallback: [] as readonly string[],
    shownDefault: 'unset: none',
    parse: readHosts,
  }),
  corsOrigins: define({
    env: 'ROSTER_CORS_ORIGINS',
    doc: 'Origins of web pages that may call the service from a browser (CORS), separated by commas, such as `https://app.example.com`; `*` allows every page. Everyone who opens such a page can read the API key in it.',
    fallback: [] as readonly string[],
    shownDefault: 'unset: none',
    parse: readOrigins,
  }),
  trustProxy: define({
    env: 'ROSTER_TRUST_PROXY',
    doc: 'Addresses or CIDR ranges of reverse proxies, separated by commas, whose `X-Forwarded-For` is believed.',
    fallback: undefined as readonly string[] | undefined,
    shownDefault: 'unset: none',
    parse: (value) => value.split(',').map((part) => part.trim()),
  }),
  rateLimit: define({
    env: 'ROSTER_RATE_LIMIT',
    doc: 'Requests a minute that one API key may send to one process before it gets 429; 0 switches the limit off. An account can have its own (`settings.rate_limit`).',
    fallback: 600_000,
    parse: integer(0, 100_000_000),
  }),
  requestRetentionDays: define({
    env: 'ROSTER_REQUEST_RETENTION_DAYS',
    doc: 'Days for which finished requests, with their payloads and failures, stay visible to operators.',
    fallback: 7,
    parse: integer(1, 3650),
  }),
  smtpServer: define({
    env: 'SMTP_URL',
    doc: 'Mail server: `smtp://user:password@host:587` (STARTTLS; required with a login) or `smtps://user:password@host:465`. When it is unset, mails are stored and shown to operators, and not sent. docs/mails.md has the parameters.',
    fallback: undefined as SmtpServer | undefined,
    shownDefault: 'unset: mails are stored',
    parse: readSmtpServer,
  }),
  mailFrom: define({
    env: 'ROSTER_MAIL_FROM',
    doc: 'Sender of every mail: `roster@example.com` or `Roster <roster@example.com>`. Needed with `SMTP_URL`.',
    fallback: undefined as MailSender | undefined,
    shownDefault: 'unset',
    parse: readMailSender,
  }),
  mailRetentionDays: define({
    env: 'ROSTER_MAIL_RETENTION_DAYS',
    doc: 'Days for which mails, with their texts, stay visible to operators.',
    fallback: 30,
    parse: integer(1, 3650),
  }),
  callbackAllow: define({
    env: 'ROSTER_CALLBACK_ALLOW',
    doc: 'Private or unencrypted places that callbacks may go to, separated by commas: hosts (`crm.internal`), hosts with a port (`crm.internal:8080`), CIDR ranges (`10.1.0.0/16`). Everything else must be HTTPS to a public address; see docs/callbacks.md.',
    fallback: nothingAllowed,
    shownDefault: 'unset: none',
    parse: parseAllowList,
  }),
  deliveryRetentionDays: define({
    env: 'ROSTER_DELIVERY_RETENTION_DAYS',
    doc: 'Days for which finished deliveries, with their attempts, stay visible to operators and can be replayed.',
    fallback: 30,
    parse: integer(1, 3650),
  }),
  exportStore: define({
    env: 'ROSTER_EXPORT_STORE',
    doc: 'Where the files of exports and imports lie: `s3://bucket/prefix` for S3 or a compatible server (credentials from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or wherever AWS clients find them). When it is unset, in the data directory, which API and worker processes then share.',
    fallback: undefined as S3Place | undefined,
    shownDefault: 'unset: `exports` in the data directory',
    parse: readS3Place,
  }),
  indexRebuildMb: define({
    env: 'ROSTER_INDEX_REBUILD_MB',
    doc: 'Largest index of contacts, in MiB after the rebuild, that a worker rebuilds when it has grown to three times the size of a new one. A rebuild needs twice as much free disk space. 0 switches rebuilding off.',
    fallback: 16_384,
    parse: integer(0, 10_000_000),
  }),
  importFileMb: define({
    env: 'ROSTER_IMPORT_FILE_MB',
    doc: 'Largest file that can be sent for an import, in MiB, packed or not.',
    fallback: 2048,
    parse: integer(1, 1_000_000),
  }),
  importUnpackedMb: define({
    env: 'ROSTER_IMPORT_UNPACKED_MB',
    doc: 'Largest text that the file of an import may unpack to, in MiB.',
    fallback: 20_480,
    parse: integer(1, 10_000_000),
  }),
  importFailuresDays: define({
    env: 'ROSTER_IMPORT_FAILURES_DAYS',
    doc: 'Days for which the file of failures of an import can be downloaded. The imported file itself is deleted when its import ends.',
    fallback: 7,
    parse: integer(1, 3650),
  }),
  exportsPerAccount: define({
    env: 'ROSTER_EXPORTS_PER_ACCOUNT',
    doc: 'Exports of one account that wait or run at a time; a request for one more is refused with 429. A worker process runs two at a time, in the order in which all accounts asked for them.',
    fallback: 20,
    parse: integer(1, 100_000),
  }),
  exportRetentionDays: define({
    env: 'ROSTER_EXPORT_RETENTION_DAYS',
    doc: 'Days for which exports that are over stay visible to operators: counted from the day on which the file was deleted, or from the end when there was none.',
    fallback: 30,
    parse: integer(1, 3650),
  }),
  backupTo: define({
    env: 'ROSTER_BACKUP_TO',
    doc: 'Where backups go: a directory, or `s3://bucket/prefix`, reached like the store of exports. `roster backup` uses it too. Not on the disk of the database.',
    fallback: undefined as BackupPlace | undefined,
    shownDefault: 'unset',
    parse: readBackupPlace,
  }),
  backupSchedule: define({
    env: 'ROSTER_BACKUP_SCHEDULE',
    doc: 'When a worker makes a backup: a cron expression with five fields in UTC, such as `0 2 * * *`. Needs `ROSTER_BACKUP_TO`. A backup that was due while nothing ran is made as soon as a worker runs.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: no scheduled backups',
    parse: readSchedule,
  }),
  backupRetentionDays: define({
    env: 'ROSTER_BACKUP_RETENTION_DAYS',
    doc: 'Days for which backups are kept. After each scheduled backup, older ones of this installation are deleted; the newest complete one never is.',
    fallback: 14,
    parse: integer(1, 3650),
  }),
  walArchive: define({
    env: 'ROSTER_WAL_ARCHIVE',
    doc: 'Switches on point-in-time recovery of the embedded PostgreSQL: a directory, or `s3://bucket/prefix`, that every change and a copy of the files each day go to, for `ROSTER_BACKUP_RETENTION_DAYS`. `roster restore --at` restores any moment. Not on the disk of the database; without effect with `DATABASE_URL`.',
    fallback: undefined as BackupPlace | undefined,
    shownDefault: 'unset: no point-in-time recovery',
    parse: readBackupPlace,
  }),
  awsRegion: define({
    env: 'AWS_REGION',
    doc: 'Region of the bucket.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: as AWS clients find it; `us-east-1` with an endpoint',
    parse: text,
  }),
  awsEndpoint: define({
    env: 'AWS_ENDPOINT_URL',
    doc: 'Address of an S3-compatible server; its buckets are addressed by path.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: AWS',
    parse: url('http:', 'https:'),
  }),
  s3Endpoint: define({
    env: 'AWS_ENDPOINT_URL_S3',
    doc: 'The same for S3 alone; goes before `AWS_ENDPOINT_URL`.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset',
    parse: url('http:', 'https:'),
  }),
  logLevel: define({
    env: 'LOG_LEVEL',
    doc: 'Lowest level of the log lines on standard output.',
    fallback: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  logFormat: define({
    env: 'LOG_FORMAT',
    doc: 'Format of the log lines: `json`, `text` for people, or `auto`: text on a terminal and JSON everywhere else.',
    fallback: 'auto',
    parse: oneOf('auto', 'json', 'text'),
  }),
};
