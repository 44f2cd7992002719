import { Listing, type Page } from '../wire/listing.ts';
import type { ListingId, PathOf, QueryOf, RowOf } from '../wire/operations.ts';
import type { PageQuery } from '../wire/shapes.ts';
import type { CallInput, CallOptions, Connection } from './connection.ts';

/** Options of a listing: `limit` is the page size; some listings have filters. */
export type ListOptions<Query = PageQuery> = CallOptions & Omit<Query, 'cursor'>;

/** A listing of the operator API. */
export type OperatorListing<Row> = Listing<Row, Page<Row>>;

/** Lists the rows of an operation that returns pages. */
export function listRows<Id extends ListingId, Given extends string>(
  connection: Connection<Given>,
  operation: Id,
  options?: ListOptions<QueryOf<Id>>,
  path?: PathOf<Id, Given>,
): OperatorListing<RowOf<Id>> {
  const { signal, idempotencyKey: _, ifMatch: _tag, ...query } = options ?? ({} as ListOptions<QueryOf<Id>>);
  return new Listing((cursor) => {
    const input = { signal, path, query: { ...query, cursor } } as object as CallInput<Id, Given>;
    return connection.call(operation, input) as Promise<unknown> as Promise<Page<RowOf<Id>>>;
  });
}
