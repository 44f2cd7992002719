import os from 'node:os';

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

/** Settings of PostgreSQL by name, with values in the notation of `postgresql.conf`. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** What the settings are computed from. */
export interface Machine {
  /** Memory that this machine or container may use, in bytes. */
  readonly memoryBytes: number;
  /** Free space on the file system of the data, in bytes. */
  readonly freeBytes: number;
  /** Size of `/dev/shm` in bytes; undefined where there is none. */
  readonly sharedMemoryBytes: number | undefined;
}

/**
 * Memory that this process may use, in bytes: that of the machine, or the limit of its container
 * when that is lower.
 */
export function availableMemory(): number {
  // 0 or a huge number means no limit.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}

/**
 * The settings of the embedded server, by the machine: for one program that writes a lot and reads
 * with indexes, on SSDs.
 *
 * They are given on the command line, so that an upgrade of the program brings its own, and
 * `postgresql.conf` stays as initdb wrote it.
 */
export function tunedSettings({ memoryBytes, freeBytes, sharedMemoryBytes }: Machine): PostgresSettings {
  return {
    listen_addresses: '127.0.0.1',
    // No socket file: its path may have 107 bytes at most, and data directories may have longer
    // ones.
    unix_socket_directories: '',
    // Enough for the pools of several processes and for psql.
    max_connections: '200',

    // A commit is on disk when it returns. These are the defaults, written out because the promise
    // depends on them.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    // A quarter of the memory, as PostgreSQL's manual advises; beyond 4 GB the page cache of the
    // kernel does as well and checkpoints get long.
    shared_buffers: megabytes(clamp(memoryBytes / 4, 32 * mebibyte, 4 * gibibyte)),
    // A hint for the planner: our buffers and the page cache together, less what Node and the
    // system take.
    effective_cache_size: megabytes(clamp(memoryBytes * 0.6, 128 * mebibyte, 64 * gibibyte)),
    // Sorts of pages and of batches stay in memory; 200 connections could each take it several
    // times.
    work_mem: megabytes(clamp(memoryBytes / 512, 4 * mebibyte, 32 * mebibyte)),
    // Index builds and vacuum; three autovacuum workers may take it at once.
    maintenance_work_mem: megabytes(clamp(memoryBytes / 32, 64 * mebibyte, 512 * mebibyte)),

    // Each checkpoint makes the next change of every page write that page whole into the WAL. Rare
    // checkpoints keep bulk writes fast; the price is crash recovery of up to 4 GB of WAL (some ten
    // seconds). A small disk must not be filled by WAL, though.
    max_wal_size: megabytes(clamp(freeBytes / 8, 128 * mebibyte, 4 * gibibyte)),
    // WAL files are kept for reuse instead of being made again, as long as the disk is large enough
    // not to notice.
    min_wal_size: megabytes(clamp(freeBytes / 32, 64 * mebibyte, gibibyte)),
    checkpoint_timeout: '15min',
    // Whole pages in the WAL are mostly text: compressing them costs less than writing them.
    wal_compression: 'on',
    // Nothing replicates from an embedded server, so WAL holds what crash recovery needs and no
    // more.
    wal_level: 'minimal',
    max_wal_senders: '0',

    // SSDs and cached data: a random page costs about as much as the next one.
    random_page_cost: '1.1',
    // Compiling a plan takes 50 ms and more, which pays only for queries of seconds.
    jit: 'off',

    // The defaults wait for a fifth of a table to be dead. In a table of a million rows that is
    // 200,000 rows of bloat, and GIN's pending list is emptied by vacuum as well.
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.1',
    // Bulk loads change distributions quickly; plans go wrong before a tenth of the table has
    // changed.
    autovacuum_analyze_scale_factor: '0.02',
    autovacuum_naptime: '20s',
    // The default of 200 is from the days of spinning disks: vacuum would fall behind sustained
    // writes.
    autovacuum_vacuum_cost_limit: '1000',

    // Parallel queries share memory through /dev/shm. Containers often have 64 MB of it, too little
    // for a hash join: use files then.
    dynamic_shared_memory_type:
      sharedMemoryBytes !== undefined && sharedMemoryBytes >= 256 * mebibyte ? 'posix' : 'mmap',

    // One clock for the log and for SQL, whatever zone the machine is in.
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // The log must not carry personal data. Messages of failed statements quote values and rows, so
    // they, and the statements and parameters, stay out: LOG ranks above ERROR here. The client
    // gets its error in any case.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_statement: 'none',
    log_line_prefix: '',
    log_destination: 'stderr',
    // The lines come to us through the pipe; a collector process would write files that are never
    // rotated.
    logging_collector: 'off',
  };
}

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

const megabytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)}MB`;
