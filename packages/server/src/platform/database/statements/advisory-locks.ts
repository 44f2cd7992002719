/**
 * The numbers of all advisory locks that the service takes, each used by one part alone: two parts under the same number would wait for each
 * other, or take each other for themselves. Of a lock with two numbers it is the first one.
 */
export const advisoryLocks = {
  /** The lane of an account; the second is the account. Operators look for it (docs/operations.md). */
  lane: 7001,
  /** Making and dropping the partitions of the requests; the second is 0. */
  requestPartitions: 7002,
  /** A pool of workers lives; the second is computed from its id. */
  jobLease: 7003,
  /** The partitions of the activities; the second is 0 for making and 1 for dropping them. */
  activityPartitions: 7004,
  /** The worker that builds and drops indexes; the second is 0. */
  indexBuilder: 7005,
  /** Attempts at deliveries of an account begin one after the other; the second is the account. */
  deliveryAccount: 7006,
  /** The same of a receiver; the second is computed from its name. */
  deliveryReceiver: 7007,
  /** Sign-ups of one address take turns; the second is computed from the address. */
  signUpAddress: 7008,
  /** The starters of a database take turns with making the first account; the only number. */
  firstStart: 7009,
  /** The starters of a database take turns with bringing the schema of the jobs up to date; the only number. */
  jobSchema: 7010,
  /** Restores into a database take turns; the only number. */
  restore: 7021,
  /** The second is 0 for the one process that makes the scheduled backups, and 1 for giving a backup its name. */
  backups: 7022,
} as const;
