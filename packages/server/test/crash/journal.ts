import type { OwnedContact } from './contact-model.ts';
import type { Plan } from './plan.ts';

/** An account that the load goes to. */
export interface LoadedAccount {
  readonly accountId: number;
  readonly apiKey: string;
  readonly lists: readonly [number, number];
  readonly journal: Journal;
}

/** What was sent to one account, and what must be found there. */
export interface Journal {
  readonly contacts: Map<string, OwnedContact>;
  /** Values of MARK of which exactly one anonymous contact must exist. */
  readonly markers: Set<string>;
  /** Accepted since the last look at the request log, by request_id: in the order in which each writer got its answers. */
  readonly accepted: Map<string, { readonly plan: Plan; readonly writer: string }>;
  /** Requests without an answer since the last look. */
  readonly unanswered: Plan[];
  /** The newest request of the log at the last look. */
  lastLogged: string | undefined;
}

/** Makes an empty journal. */
export function createJournal(): Journal {
  return { contacts: new Map(), markers: new Set(), accepted: new Map(), unanswered: [], lastLogged: undefined };
}
