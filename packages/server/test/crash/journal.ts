import type { OwnedContact } from './contact-model.ts';
import type { Plan } from './plan.ts';

/** An account that the writers send requests to. */
export interface LoadedAccount {
  readonly accountId: number;
  readonly apiKey: string;
  readonly lists: readonly [number, number];
  readonly buckets: number;
  readonly journal: Journal;
}

/** The requests that were sent to one account, and the contacts that must be found there. */
export interface Journal {
  readonly contacts: Map<string, OwnedContact>;
  /** Values of MARK. Exactly one anonymous contact must have each. */
  readonly markers: Set<string>;
  /**
   * Requests accepted since the last check of the request log, by request_id. The requests of each
   * writer are in the order of their answers.
   */
  readonly accepted: Map<string, { readonly plan: Plan; readonly writer: string }>;
  /** Requests without an answer since the last check. */
  readonly unanswered: Plan[];
  /** The newest request in the log at the last check. */
  lastLogged: string | undefined;
}

/** Creates an empty journal. */
export function createJournal(): Journal {
  return { contacts: new Map(), markers: new Set(), accepted: new Map(), unanswered: [], lastLogged: undefined };
}
