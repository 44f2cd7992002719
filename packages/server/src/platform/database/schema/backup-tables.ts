/** The one row that says which installation this database is. */
interface InstallationTable {
  installation_id: string;
  made_at: Date;
}

/** A backup that was made, is being made, or failed. */
export interface BackupRunsTable {
  backup_run_id: string;
  /** `database`: the rows; `files`: the files of the embedded PostgreSQL, for point-in-time recovery. */
  kind: 'database' | 'files';
  name: string;
  place: string;
  started_at: Date;
  finished_at: Date | null;
  status: 'running' | 'completed' | 'failed';
  error: string | null;
  /** Bytes in the place. */
  size: number | null;
}

/** The tables about backups. */
export interface BackupTables {
  installation: InstallationTable;
  backup_runs: BackupRunsTable;
}
