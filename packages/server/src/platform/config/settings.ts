import path from 'node:path';
import { commaList } from './values/comma-list.ts';
import { oidcSettings } from './values/oidc-settings.ts';
import { readHosts } from './host-name.ts';
import { readProxies } from './proxies.ts';
import { readBackupPlace, type BackupPlace } from './backup-place.ts';
import { readSchedule } from './backup-schedule.ts';
import { nothingAllowed, parseAllowList } from './allow-list.ts';
import { readMailSender, type MailSender } from './mail-sender.ts';
import {
  databaseUrl,
  email,
  integer,
  oneOf,
  password,
  publicUrl,
  secret,
  text,
  url,
  type Parse,
} from './values/parse-setting.ts';
import { readSmtpServer, type SmtpServer } from './smtp-server.ts';
import { readS3Place, type S3Place } from './s3-place.ts';

/**
 * One row of the settings table: the name of a value, its default, and how it is read.
 * `docs/config.md` is generated from this table, so its texts are written for operators.
 */
export interface Setting<T> {
  /** Name of the environment variable. */
  readonly env: string;
  /** Describes the setting in one or two sentences, for operators. */
  readonly doc: string;
  /** The value when the variable is unset or blank. */
  readonly fallback: T;
  /** The default as the documentation shows it, where the plain value would not help. */
  readonly shownDefault?: string;
  /** Reads the text of the variable. */
  readonly parse: Parse<T>;
}

function readOrigins(value: string): readonly string[] {
  const origins = commaList(value);
  for (const origin of origins) {
    if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
      throw new Error('must be origins without a path, separated by commas, such as `https://app.example.com`');
    }
  }
  return origins;
}

const define = <T>(setting: Setting<T>): Setting<T> => setting;

/** Every setting of the service, in the order of the documentation. */
export const settings = {
  port: define({
    env: 'PORT',
    doc: 'TCP port of the HTTP interface. 0 chooses a free port.',
    fallback: 8080,
    parse: integer(0, 65_535),
  }),
  host: define({
    env: 'HOST',
    doc: 'Address that the HTTP interface listens on. To serve other machines, set it to `0.0.0.0` or `::`, behind a proxy with TLS.',
    fallback: '127.0.0.1',
    parse: text,
  }),
  role: define({
    env: 'ROSTER_ROLE',
    doc: '`all` runs the HTTP interface and a worker in two processes. `api` and `worker` run only one of them, and need `DATABASE_URL`, the same for all processes.',
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
    doc: 'Connection URL of a PostgreSQL server, version 15 to 18. When unset, Roster starts an embedded PostgreSQL in the data directory.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: embedded PostgreSQL',
    parse: databaseUrl,
  }),
  replicaUrls: define({
    env: 'ROSTER_REPLICA_URL',
    doc: 'Connection URLs of streaming replicas of the database, separated by commas. Searches, counts, exports and statistics use them. They always see what was stored before. See docs/operations.md.',
    fallback: [] as readonly string[],
    shownDefault: 'none',
    parse: (value) => commaList(value).map(databaseUrl),
  }),
  layout: define({
    env: 'ROSTER_LAYOUT',
    doc: '`citus` after `roster migrate --layout citus` has distributed the database over the nodes of a Citus cluster; `single` otherwise. `DATABASE_URL` is the coordinator. No installation uses this yet: see docs/decisions/0047-accounts-on-nodes.md.',
    fallback: 'single',
    parse: oneOf('single', 'citus'),
  }),
  databasePoolSize: define({
    env: 'ROSTER_DATABASE_POOL_SIZE',
    doc: 'Number of database connections of one process; a few more are opened for special uses (see docs/operations.md). An API process splits them between searches and everything else. A worker process opens the same number again for its jobs.',
    fallback: 20,
    parse: integer(4, 500),
  }),
  searchesPerAccount: define({
    env: 'ROSTER_SEARCHES_PER_ACCOUNT',
    doc: 'Maximum number of searches of one account that one API process runs at the same time. More searches wait. The other connections for searches are kept for other accounts. With a single account, set this to half of the pool size.',
    fallback: undefined as number | undefined,
    shownDefault: 'a sixth of `ROSTER_DATABASE_POOL_SIZE`, which is a third of the connections for searches',
    parse: integer(1, 250),
  }),
  largeBodies: define({
    env: 'ROSTER_LARGE_BODIES',
    doc: 'Maximum number of large requests that one API process handles at the same time. One account can have half of them. Further large requests wait. A request is large if its body has more than 1 MiB, or more than 1016 bytes of gzip, which can expand to 1 MiB. One body takes up to 48 MiB of memory.',
    fallback: undefined as number | undefined,
    shownDefault: 'one for each 384 MiB of memory of the machine or container, 2 to 16',
    parse: integer(1, 1000),
  }),
  workerLoops: define({
    env: 'ROSTER_WORKER_LOOPS',
    doc: 'Number of loops of one worker. Each applies requests of one account at a time. With the account setting buckets, loops of several workers can serve one account at the same time.',
    fallback: 2,
    parse: integer(1, 64),
  }),
  apiKey: define({
    env: 'ROSTER_API_KEY',
    doc: 'API key of the first account, at least 32 characters. It is used when the database has no account yet. When unset, a key is generated and printed once.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: generated, printed once',
    parse: secret,
  }),
  ownerEmail: define({
    env: 'ROSTER_OWNER_EMAIL',
    doc: 'E-mail address of the first owner, who signs in to the console with `ROSTER_OWNER_PASSWORD`. It is used when the database has no user yet. When unset, the service prints a link that creates the owner.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: a link is printed',
    parse: email,
  }),
  ownerPassword: define({
    env: 'ROSTER_OWNER_PASSWORD',
    doc: 'Password of the first owner, 10 to 200 characters. Required with `ROSTER_OWNER_EMAIL`.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset',
    parse: password,
  }),
  ...oidcSettings,
  adminToken: define({
    env: 'ROSTER_ADMIN_TOKEN',
    doc: 'Token of the operator API, at least 32 characters. When unset, a token is generated and stored in `admin-token` in the data directory, readable only by the owner. Set it when several machines serve one database.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: generated, kept in the data directory',
    parse: secret,
  }),
  publicUrl: define({
    env: 'ROSTER_PUBLIC_URL',
    doc: 'Address under which clients reach the service, such as `https://roster.example.com`. It is used in links and in the OpenAPI description. Give Roster a host name of its own: the console does not work below a path.',
    fallback: undefined as string | undefined,
    shownDefault: 'http://HOST:PORT',
    parse: publicUrl,
  }),
  allowedHosts: define({
    env: 'ROSTER_ALLOWED_HOSTS',
    doc: 'More host names under which clients reach the service, without ports, separated by commas. The host of `ROSTER_PUBLIC_URL`, `HOST`, loopback, and the IP address at which a connection arrives are always allowed. A request for another host gets 421, so that a foreign web page cannot reach the service by DNS rebinding. `*` allows every host.',
    fallback: [] as readonly string[],
    shownDefault: 'unset: none',
    parse: readHosts,
  }),
  corsOrigins: define({
    env: 'ROSTER_CORS_ORIGINS',
    doc: 'Origins of web pages that may call the service from a browser (CORS), separated by commas, such as `https://app.example.com`. `*` allows every page. Everyone who opens such a page can read the API key in it.',
    fallback: [] as readonly string[],
    shownDefault: 'unset: none',
    parse: readOrigins,
  }),
  trustProxy: define({
    env: 'ROSTER_TRUST_PROXY',
    doc: 'Addresses or CIDR ranges of trusted reverse proxies, separated by commas. Roster uses their `X-Forwarded-For` header.',
    fallback: undefined as readonly string[] | undefined,
    shownDefault: 'unset: none',
    parse: readProxies,
  }),
  rateLimit: define({
    env: 'ROSTER_RATE_LIMIT',
    doc: 'Number of requests in a minute that one API key may send to one process; more get 429. 0 switches the limit off. An account can have its own limit (`settings.rate_limit`).',
    fallback: 600_000,
    parse: integer(0, 100_000_000),
  }),
  requestRetentionDays: define({
    env: 'ROSTER_REQUEST_RETENTION_DAYS',
    doc: 'Number of days for which finished requests, with their payloads and failures, stay visible to operators.',
    fallback: 7,
    parse: integer(1, 3650),
  }),
  smtpServer: define({
    env: 'SMTP_URL',
    doc: 'Mail server: `smtp://user:password@host:587` (STARTTLS, required with a login) or `smtps://user:password@host:465`. When unset, mails are not sent but stored for operators. See docs/mails.md for the parameters.',
    fallback: undefined as SmtpServer | undefined,
    shownDefault: 'unset: mails are stored',
    parse: readSmtpServer,
  }),
  mailFrom: define({
    env: 'ROSTER_MAIL_FROM',
    doc: 'Sender of every mail: `roster@example.com` or `Roster <roster@example.com>`. Required with `SMTP_URL`.',
    fallback: undefined as MailSender | undefined,
    shownDefault: 'unset',
    parse: readMailSender,
  }),
  mailRetentionDays: define({
    env: 'ROSTER_MAIL_RETENTION_DAYS',
    doc: 'Number of days for which mails, with their texts, stay visible to operators.',
    fallback: 30,
    parse: integer(1, 3650),
  }),
  callbackAllow: define({
    env: 'ROSTER_CALLBACK_ALLOW',
    doc: 'Private or unencrypted hosts that callbacks may go to, and that imports may fetch files from, separated by commas: hosts (`crm.internal`), hosts with a port (`crm.internal:8080`), CIDR ranges (`10.1.0.0/16`). All others must use HTTPS and a public address; see docs/callbacks.md.',
    fallback: nothingAllowed,
    shownDefault: 'unset: none',
    parse: parseAllowList,
  }),
  deliveryRetentionDays: define({
    env: 'ROSTER_DELIVERY_RETENTION_DAYS',
    doc: 'Number of days for which finished deliveries, with their attempts, stay visible to operators and can be replayed.',
    fallback: 30,
    parse: integer(1, 3650),
  }),
  exportStore: define({
    env: 'ROSTER_EXPORT_STORE',
    doc: 'Where the files of exports and imports are stored: `s3://bucket/prefix` for S3 or a compatible server (credentials from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or from the other places where AWS clients look). When unset, they are stored in the data directory, which API and worker processes must then share.',
    fallback: undefined as S3Place | undefined,
    shownDefault: 'unset: `exports` in the data directory',
    parse: readS3Place,
  }),
  indexRebuildMb: define({
    env: 'ROSTER_INDEX_REBUILD_MB',
    doc: 'Largest index of contacts, in MiB, that a worker rebuilds. The size of the new index counts. A worker rebuilds an index that has grown to three times the size of a new one. A rebuild needs twice the size of the new index as free disk space. 0 switches rebuilds off.',
    fallback: 16_384,
    parse: integer(0, 10_000_000),
  }),
  importFileMb: define({
    env: 'ROSTER_IMPORT_FILE_MB',
    doc: 'Maximum size of a file for an import, in MiB, compressed or not.',
    fallback: 2048,
    parse: integer(1, 1_000_000),
  }),
  importUnpackedMb: define({
    env: 'ROSTER_IMPORT_UNPACKED_MB',
    doc: 'Maximum size of the file of an import after decompression, in MiB.',
    fallback: 20_480,
    parse: integer(1, 10_000_000),
  }),
  importFailuresDays: define({
    env: 'ROSTER_IMPORT_FAILURES_DAYS',
    doc: 'Number of days for which the file of failures of an import can be downloaded. The imported file itself is deleted when the import ends.',
    fallback: 7,
    parse: integer(1, 3650),
  }),
  filesPerAccountMb: define({
    env: 'ROSTER_FILES_PER_ACCOUNT_MB',
    doc: 'Maximum size of all stored files of one account together, in MiB: files of unfinished imports, files of failures, and finished exports. 0: no limit. Files in places of the account in S3 do not count.',
    fallback: 0,
    parse: integer(0, 1_000_000_000),
  }),
  exportsPerAccount: define({
    env: 'ROSTER_EXPORTS_PER_ACCOUNT',
    doc: 'Maximum number of exports of one account that wait or run at the same time. One more request gets 429. A worker process runs two exports at a time, in the order in which all accounts requested them, and two more to places in S3.',
    fallback: 20,
    parse: integer(1, 100_000),
  }),
  exportRetentionDays: define({
    env: 'ROSTER_EXPORT_RETENTION_DAYS',
    doc: 'Number of days for which ended exports stay visible to operators. The days count from the deletion of the file, or from the end when there was no file.',
    fallback: 30,
    parse: integer(1, 3650),
  }),
  backupTo: define({
    env: 'ROSTER_BACKUP_TO',
    doc: 'Where backups are stored: a directory, or `s3://bucket/prefix`, with the same credentials as the store of exports. `roster backup` uses it, too. Do not use the disk of the database.',
    fallback: undefined as BackupPlace | undefined,
    shownDefault: 'unset',
    parse: readBackupPlace,
  }),
  backupSchedule: define({
    env: 'ROSTER_BACKUP_SCHEDULE',
    doc: 'When a worker makes a backup: a cron expression with five fields in UTC, such as `0 2 * * *`. Requires `ROSTER_BACKUP_TO`. If a backup was due while no worker ran, the next worker makes it at its start.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: no scheduled backups',
    parse: readSchedule,
  }),
  backupRetentionDays: define({
    env: 'ROSTER_BACKUP_RETENTION_DAYS',
    doc: 'Number of days for which backups are kept. After each scheduled backup, older backups of this installation are deleted. The newest complete backup is always kept.',
    fallback: 14,
    parse: integer(1, 3650),
  }),
  walArchive: define({
    env: 'ROSTER_WAL_ARCHIVE',
    doc: 'Switches on point-in-time recovery of the embedded PostgreSQL. Its value is a directory, or `s3://bucket/prefix`. Every change, and a daily copy of the database files, are stored there for `ROSTER_BACKUP_RETENTION_DAYS`. `roster restore --at` restores any moment. Do not use the disk of the database. It has no effect with `DATABASE_URL`.',
    fallback: undefined as BackupPlace | undefined,
    shownDefault: 'unset: no point-in-time recovery',
    parse: readBackupPlace,
  }),
  awsRegion: define({
    env: 'AWS_REGION',
    doc: 'Region of the bucket.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: as AWS clients find it, or `us-east-1` with an endpoint',
    parse: text,
  }),
  awsEndpoint: define({
    env: 'AWS_ENDPOINT_URL',
    doc: 'Address of an S3-compatible server. Its buckets are addressed by path.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset: AWS',
    parse: url('http:', 'https:'),
  }),
  s3Endpoint: define({
    env: 'AWS_ENDPOINT_URL_S3',
    doc: 'Like `AWS_ENDPOINT_URL`, but only for S3. It takes precedence.',
    fallback: undefined as string | undefined,
    shownDefault: 'unset',
    parse: url('http:', 'https:'),
  }),
  logLevel: define({
    env: 'LOG_LEVEL',
    doc: 'Lowest level of the log lines that are written to standard output: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, or `silent` for none.',
    fallback: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  logFormat: define({
    env: 'LOG_FORMAT',
    doc: 'Format of the log lines: `json`, `text` for people, or `auto` (text on a terminal, otherwise JSON).',
    fallback: 'auto',
    parse: oneOf('auto', 'json', 'text'),
  }),
};
