import { tagOf, type ChangeOptions } from './export-schedules.ts';
import type { CallOptions, Connection } from '../transport/connection.ts';
import { Listing, type Page } from '../wire/listing.ts';
import type { CreateSavedViewBody, ListSavedViewsQuery, SavedView, UpdateSavedViewBody } from '../wire/shapes.ts';

/** Creates the operations on the saved views of an account. */
export function createSavedViews(connection: Connection, account: { readonly account_id: number }) {
  const pathOf = (viewId: string) => ({ ...account, view_id: viewId });
  return {
    /** The shared views, and those of the caller; with `page`, only those of a page. */
    list: ({ signal, ...query }: Pick<CallOptions, 'signal'> & Omit<ListSavedViewsQuery, 'cursor'> = {}): Listing<
      SavedView,
      Page<SavedView>
    > =>
      new Listing((cursor) =>
        connection.call('listSavedViews', { path: account, query: { ...query, ...(cursor && { cursor }) }, signal }),
      ),
    create: (view: CreateSavedViewBody, options: CallOptions = {}): Promise<SavedView> =>
      connection.call('createSavedView', { ...options, path: account, body: view }),
    update: (
      viewId: string,
      change: UpdateSavedViewBody,
      { version, ...options }: ChangeOptions = {},
    ): Promise<SavedView> =>
      connection.call('updateSavedView', { ...options, path: pathOf(viewId), body: change, ifMatch: tagOf(version) }),
    delete: (viewId: string, options: CallOptions = {}): Promise<void> =>
      connection.call('deleteSavedView', { ...options, path: pathOf(viewId) }),
  };
}
