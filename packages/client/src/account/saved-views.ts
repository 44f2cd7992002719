import { tagOf, type ChangeOptions } from './export-schedules.ts';
import type { AccountConnection, CallOptions } from '../transport/connection.ts';
import { listRows, type ListOptions } from '../transport/list-rows.ts';
import type { CreateSavedViewBody, ListSavedViewsQuery, UpdateSavedViewBody } from '../wire/shapes.ts';

/** Creates the operations on the saved views of an account. */
export function createSavedViews(account: AccountConnection) {
  const pathOf = (viewId: string) => ({ view_id: viewId });
  return {
    /** The shared views, and those of the caller; with `page`, only those of a page. */
    list: (options?: ListOptions<ListSavedViewsQuery>) => listRows(account, 'listSavedViews', options),
    create: (view: CreateSavedViewBody, options?: CallOptions) =>
      account.call('createSavedView', { ...options, body: view }),
    update: (viewId: string, change: UpdateSavedViewBody, { version, ...options }: ChangeOptions = {}) =>
      account.call('updateSavedView', { ...options, path: pathOf(viewId), body: change, ifMatch: tagOf(version) }),
    delete: (viewId: string, options?: CallOptions) =>
      account.call('deleteSavedView', { ...options, path: pathOf(viewId) }),
  };
}
