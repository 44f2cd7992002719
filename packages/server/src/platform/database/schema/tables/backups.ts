/** The single row that identifies the installation of this database. */
interface InstallationTable {
  installation_id: string;
  made_at: Date;
}

/** A completed, running or failed backup. */
export interface BackupRunsTable {
  backup_run_id: string;
  /** `database`: the rows. `files`: the database files, for point-in-time recovery. */
  kind: 'database' | 'files';
  name: string;
  place: string;
  started_at: Date;
  finished_at: Date | null;
  status: 'running' | 'completed' | 'failed';
  error: string | null;
  /** Size in bytes. */
  size: number | null;
}

/** The tables about backups. */
export interface BackupTables {
  installation: InstallationTable;
  backup_runs: BackupRunsTable;
}
