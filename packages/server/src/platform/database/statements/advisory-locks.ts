/**
 * The numbers of all advisory locks of the service. Each is used for one purpose only: two purposes
 * with the same number would block each other. For locks with two numbers, this is the first.
 */
export const advisoryLocks = {
  /** All lanes of an account; second number: the account. See docs/troubleshooting.md. */
  allLanes: 7001,
  /** Shared by the workers that hold one lane of an account; second number: the account. */
  lanesInUse: 7011,
  /** Rows that all lanes of an account change, such as counts; second number: the account. */
  sharedRows: 7012,
  /** One lane of an account: its number is added to this; second number: the account. */
  firstLane: 7100,
  /** Creating and dropping the partitions of requests; second number: 0. */
  requestPartitions: 7002,
  /** Held while a pool of workers is alive; second number: computed from its id. */
  jobLease: 7003,
  /** The partitions of activities; second number: 0 for creating, 1 for dropping. */
  activityPartitions: 7004,
  /** The worker that builds and drops indexes; second number: 0. */
  indexBuilder: 7005,
  /** Begins the delivery attempts of an account one by one; second number: the account. */
  deliveryAccount: 7006,
  /** Begins the delivery attempts to a receiver one by one; second number: from its name. */
  deliveryReceiver: 7007,
  /** Serializes the sign-ups of one address; second number: from the address. */
  signUpAddress: 7008,
  /** Serializes the creation of the first account. It has no second number. */
  firstStart: 7009,
  /** Serializes migrations of the schema of the jobs. It has no second number. */
  jobSchema: 7010,
  /** Serializes the distribution of tables over a cluster. It has no second number. */
  distribution: 7029,
  /** Computes the counts of an account again; second number: the account. */
  countRebuild: 7027,
  /** The worker that counts segments once a day; second number: 0. */
  segmentCounts: 7028,
  /** Serializes restores into a database. It has no second number. */
  restore: 7021,
  /** Second number: 0 for the one process that makes scheduled backups, 1 for naming a backup. */
  backups: 7022,
} as const;
