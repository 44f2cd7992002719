import { pageAnswer } from '../../../shapes/common/paging.ts';
import {
  CreateSavedViewBody,
  ListSavedViewsQuery,
  SavedView,
  UpdateSavedViewBody,
} from '../../../shapes/console/saved-views.ts';
import { operation } from '../../definition/operation.ts';

const path = '/admin/v1/accounts/{account_id}/views';

/** States of console pages, with a name. */
export const savedViewOperations = {
  createSavedView: operation({
    generation: 'operator',
    method: 'POST',
    path,
    permission: 'account:read',
    entityTag: 'answer',
    repeat: 'unsafe',
    tag: 'Saved views',
    summary: 'Save a view',
    description:
      'Saves the state of a console page under a name: for the caller, or shared with everyone in the account.',
    body: CreateSavedViewBody,
    examples: {
      shared: {
        summary: 'A shared view',
        value: { name: 'Customers in Pune', page: 'contacts', state: { columns: ['EMAIL', 'CITY'] }, shared: true },
      },
    },
    status: 201,
    answer: SavedView,
    errors: ['conflict'],
  }),

  listSavedViews: operation({
    generation: 'operator',
    method: 'GET',
    path,
    permission: 'account:read',
    repeat: 'harmless',
    tag: 'Saved views',
    summary: 'List saved views',
    description: 'Returns the shared views of the account and those of the caller, newest first.',
    query: ListSavedViewsQuery,
    answer: pageAnswer('SavedView'),
  }),

  updateSavedView: operation({
    generation: 'operator',
    method: 'PATCH',
    path: `${path}/{view_id}`,
    permission: 'account:read',
    entityTag: 'change',
    repeat: 'harmless',
    tag: 'Saved views',
    summary: 'Change a saved view',
    description:
      'Changes the fields that you send. With the header `If-Match`, the change is refused with 412 if somebody else changed the view in the meantime.',
    body: UpdateSavedViewBody,
    examples: { name: { summary: 'Another name', value: { name: 'Pune' } } },
    answer: SavedView,
    errors: ['conflict'],
  }),

  deleteSavedView: operation({
    generation: 'operator',
    method: 'DELETE',
    path: `${path}/{view_id}`,
    permission: 'account:read',
    repeat: 'harmless',
    tag: 'Saved views',
    summary: 'Delete a saved view',
    description: 'Deletes a view of the caller, or a shared view.',
    status: 204,
  }),
};
