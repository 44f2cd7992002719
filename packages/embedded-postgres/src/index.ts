export type { Application } from './application/application.ts';
export type { Log } from './application/log.ts';
export { prepareDirectory } from './data-directory/data-directory.ts';
export { writeSecret } from './data-directory/password.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded/embedded-postgres.ts';
export {
  type HeldDataDirectory,
  type HeldDataDirectoryOptions,
  holdDataDirectory,
  type UnfinishedCluster,
} from './embedded/held-data-directory.ts';
export { hasCluster, runningServerUrl } from './embedded/running-server.ts';
export { startThrowawayPostgres } from './embedded/throwaway-postgres.ts';
export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors/embedded-postgres-error.ts';
export { createDirectory } from './machine/create-directory.ts';
export { type FreeSpace, freeSpace, neededBytes } from './machine/disk-space.ts';
export { freePort } from './machine/free-port.ts';
export type { ServerUser } from './machine/server-user.ts';
export type { StopTimeouts } from './server/postmaster.ts';
export type { PostgresSettings } from './server/tuned-settings.ts';
export { collectWhenIdle } from './supervisor/idle-memory.ts';
export { restartOnExit } from './supervisor/restart-on-exit.ts';
export {
  type ChildService,
  onSupervisorMessage,
  runSupervised,
  type RunSupervisedOptions,
  sendToSupervisor,
} from './supervisor/run-supervised.ts';
export { ChildStartError, SupervisedChild, type SupervisedChildOptions } from './supervisor/supervised-child.ts';
