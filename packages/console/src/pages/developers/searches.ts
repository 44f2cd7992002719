import { readDay } from '#components/values/day-bounds.ts';
import type { ListDeliveriesQuery, ListMailsQuery, ListRequestsQuery } from '@roster/client';

type Given = Readonly<Record<string, unknown>>;

/** The filters of the request log in the address. `from` and `to` are days such as `2026-03-01`. */
export type RequestsSearch = Pick<ListRequestsQuery, 'outcome' | 'status' | 'operation'> & {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};
/** The chosen code of the failures of a request, in the address. */
export interface RequestSearch {
  readonly code?: string;
}
/** The filter of the deliveries in the address. */
export type DeliveriesSearch = Pick<ListDeliveriesQuery, 'status'>;
/** The filter of the mails, and the open mail, in the address. */
export type MailsSearch = Pick<ListMailsQuery, 'status'> & { readonly mail?: string | undefined };
/** The position of the event feed in the address. */
export interface FeedSearch {
  /** The newest event that is shown. Undefined: the newest one of the account. */
  readonly position?: number | undefined;
}

/** Reads the filters of the request log. Leaves out values that do not exist. */
export function readRequestsSearch(given: Given): RequestsSearch {
  return {
    outcome: oneOf(given['outcome'], ['failed', 'warnings', 'succeeded', 'some_failed', 'all_failed']),
    status: oneOf(given['status'], ['accepted', 'done', 'failed']),
    operation: word(given['operation']),
    from: readDay(given['from']),
    to: readDay(given['to']),
  };
}

/** Reads the chosen code of the failures of a request. */
export function readRequestSearch(given: Given): RequestSearch {
  const code = word(given['code']);
  return code === undefined ? {} : { code };
}

/** Reads the filter of the deliveries. */
export function readDeliveriesSearch(given: Given): DeliveriesSearch {
  return { status: oneOf(given['status'], ['pending', 'delivered', 'failed']) };
}

/** Reads the filter of the mails, and the open mail. */
export function readMailsSearch(given: Given): MailsSearch {
  return { status: oneOf(given['status'], ['stored', 'pending', 'sent', 'failed']), mail: word(given['mail']) };
}

/** Reads the position of the event feed. */
export function readFeedSearch(given: Given): FeedSearch {
  const { position } = given;
  const isPosition = typeof position === 'number' && Number.isSafeInteger(position) && position > 0;
  // Without a value, the router would take the one in the address.
  return { position: isPosition ? position : undefined };
}

function oneOf<const Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((one) => one === value);
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
