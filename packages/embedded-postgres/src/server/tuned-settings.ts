import os from 'node:os';

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

/** Settings of PostgreSQL by name, with values in the notation of `postgresql.conf`. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** The resources from which the settings are computed. */
export interface Machine {
  /** Memory that this machine or container may use, in bytes. */
  readonly memoryBytes: number;
  /** Free space on the file system of the data, in bytes. */
  readonly freeBytes: number;
  /** Size of the tables and indexes that the cluster already has, in bytes. */
  readonly dataBytes: number;
  /** Size of `/dev/shm` in bytes; undefined if it does not exist. */
  readonly sharedMemoryBytes: number | undefined;
}

/** Returns the memory of the machine in bytes, or the limit of the container if that is lower. */
export function availableMemory(): number {
  // 0 or a huge number means no limit.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}

/**
 * Computes the settings of the embedded server. They assume SSDs, and one program that writes a lot
 * and reads through indexes.
 *
 * The settings are passed on the command line. An upgrade of the program can therefore change them,
 * and `postgresql.conf` stays as initdb wrote it.
 */
export function tunedSettings({ memoryBytes, freeBytes, dataBytes, sharedMemoryBytes }: Machine): PostgresSettings {
  return {
    listen_addresses: '127.0.0.1',
    // No Unix socket: its path is limited to 107 bytes, and data directories can have longer paths.
    // It is not faster either: large and small batches took the same processor time (2026-11-27).
    unix_socket_directories: '',
    // Enough for the pools of several processes and for psql.
    max_connections: '200',

    // A commit is on disk when it returns. These are the defaults of PostgreSQL, repeated here
    // because durability depends on them.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    // A quarter of the memory, as the manual of PostgreSQL advises. Above 4 GB, the page cache of
    // the kernel is as good, and checkpoints would take long. PostgreSQL needs 21 MB at once for
    // each GB, so a small database gets 1 GB. A larger one gets twice its size, so that it can grow
    // until the next start.
    shared_buffers: megabytes(
      clamp(Math.min(memoryBytes / 4, Math.max(dataBytes * 2, gibibyte)), 32 * mebibyte, 4 * gibibyte),
    ),
    // A hint for the planner: shared buffers plus page cache. Node and the system need the rest.
    effective_cache_size: megabytes(clamp(memoryBytes * 0.6, 128 * mebibyte, 64 * gibibyte)),
    // Enough to sort pages and batches in memory. Each of 200 connections can use this several
    // times.
    work_mem: megabytes(clamp(memoryBytes / 512, 4 * mebibyte, 32 * mebibyte)),
    // For index builds and vacuum. Three autovacuum workers can each use this at the same time.
    maintenance_work_mem: megabytes(clamp(memoryBytes / 32, 64 * mebibyte, 512 * mebibyte)),

    // After a checkpoint, the first change of each page writes the whole page to the WAL. Rare
    // checkpoints therefore make bulk writes faster. In return, crash recovery reads up to 8 GB of
    // WAL. On a small disk the limit is lower, so that WAL does not fill the disk.
    max_wal_size: megabytes(clamp(freeBytes / 8, 128 * mebibyte, 8 * gibibyte)),
    // Keep WAL files for reuse if the disk is large enough.
    min_wal_size: megabytes(clamp(freeBytes / 32, 64 * mebibyte, gibibyte)),
    checkpoint_timeout: '15min',
    // The only compression in this build is pglz. Writes to a table with ten million rows and keys in
    // random order spent a third of the processor time on it.
    wal_compression: 'off',
    // The default is 16 MB, which PostgreSQL uses one page after the other and never gives back.
    wal_buffers: '4MB',
    // An embedded server has no replicas, so the WAL contains only what crash recovery needs.
    wal_level: 'minimal',
    max_wal_senders: '0',
    // No process for subscriptions, and little room for the locks of serializable transactions:
    // nobody uses either.
    max_logical_replication_workers: '0',
    max_pred_locks_per_transaction: '10',

    // On SSDs and in the cache, a random read costs about as much as a sequential read.
    random_page_cost: '1.1',
    // JIT compilation takes 50 ms or more. It pays off only for queries that run for seconds.
    jit: 'off',

    // By default, vacuum waits until 20 % of the rows are dead: 200,000 of a million. Vacuum also
    // empties the pending lists of GIN indexes.
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.1',
    // Bulk loads change the distribution of values quickly. With the default of 10 %, plans become
    // wrong before the next analyze.
    autovacuum_analyze_scale_factor: '0.02',
    autovacuum_naptime: '20s',
    // The default of 200 is meant for hard disks. With it, vacuum cannot keep up with continuous
    // writes.
    autovacuum_vacuum_cost_limit: '1000',

    // Parallel queries share memory through /dev/shm. Containers often have only 64 MB of it, which
    // is too little for a hash join. In that case use files.
    dynamic_shared_memory_type:
      sharedMemoryBytes !== undefined && sharedMemoryBytes >= 256 * mebibyte ? 'posix' : 'mmap',

    // UTC for the log and for SQL, independent of the time zone of the machine.
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // The log must not contain personal data. Errors of statements quote values and rows, so
    // errors, statements and parameters are not logged. In `log_min_messages`, LOG is above ERROR.
    // The client still gets its error.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_statement: 'none',
    log_line_prefix: '',
    log_destination: 'stderr',
    // The log lines come through a pipe. A collector process would write them to files instead.
    logging_collector: 'off',
  };
}

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

const megabytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)}MB`;
