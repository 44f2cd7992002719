/** The parts of the name of a backup. */
export interface BackupName {
  /** The first 8 hexadecimal digits of the id of the installation. */
  readonly installation: string;
  readonly startedAt: Date;
}

/** Returns the name of a backup, which sorts by time: `roster-1f0c9a7e-20260131T020000123Z`. */
export function backupName(installationId: string, startedAt: Date): string {
  return `roster-${shortInstallation(installationId)}-${startedAt.toISOString().replaceAll(/[-:.]/g, '')}`;
}

/** Reads the name of a backup; undefined for another text. */
export function readBackupName(name: string): BackupName | undefined {
  const match = /^roster-([0-9a-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(name);
  if (match === null) return undefined;
  const [, installation, year, month, day, hour, minute, second, millisecond] = match;
  const startedAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(startedAt.getTime()) ? undefined : { installation: installation!, startedAt };
}

/** Returns the part of an installation id that names of backups contain. */
export const shortInstallation = (installationId: string): string => installationId.replaceAll('-', '').slice(0, 8);
