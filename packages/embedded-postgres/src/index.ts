export { findCluster, type NewClusterPlace, placeNewCluster } from './cluster/cluster-place.ts';
export { moveIntoPlace } from './cluster/create-cluster.ts';
export { prepareDirectory } from './data-directory/data-directory.ts';
export { lockDataDirectory } from './data-directory/directory-lock.ts';
export { writeSecret } from './data-directory/password.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded/embedded-postgres.ts';
export { runningServerUrl } from './embedded/running-server.ts';
export { startThrowawayPostgres } from './embedded/throwaway-postgres.ts';
export { EmbeddedPostgresError, systemErrorCode } from './errors/embedded-postgres-error.ts';
export { packagedBinaries, usableBinaries } from './machine/binaries.ts';
export { type FreeSpace, freeSpace, neededBytes } from './machine/disk-space.ts';
export { freePort } from './machine/free-port.ts';
export { isRoot } from './machine/server-user.ts';
export { databaseUrl } from './server/database.ts';
export { PostgresServer, type PostgresServerOptions } from './server/postgres-server.ts';
export type { StopPatience } from './server/postmaster.ts';
export { availableMemory, tunedSettings } from './server/tuned-settings.ts';
