import { AccountDeletion, DeleteAccountQuery } from '../../../shapes/service/account-deletions.ts';
import { PageQuery, pageAnswer } from '../../../shapes/common/paging.ts';
import { operation } from '../../definition/operation.ts';

/** Deletion of accounts. */
export const accountDeletionOperations = {
  deleteAccount: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}',
    permission: 'account:delete',
    repeat: 'unsafe',
    tag: 'Accounts',
    summary: 'Delete an account',
    description: [
      'Deletes an account with everything in it. This cannot be undone. From the answer on, the account does not exist for anybody: its keys get 401, and its paths 404.',
      'Its contacts, activities, requests, files, keys and everything else are then deleted in the background, in small steps. This takes at least 30 seconds. Installation administrators see the progress with **Get the deletion of an account**. The audit log of the account stays.',
    ].join('\n\n'),
    query: DeleteAccountQuery,
    answer: AccountDeletion,
  }),

  listAccountDeletions: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/account-deletions',
    permission: 'installation',
    repeat: 'harmless',
    tag: 'Accounts',
    summary: 'List deletions of accounts',
    description: 'Lists running and completed deletions of accounts, ordered by `account_id`.',
    query: PageQuery,
    answer: pageAnswer('AccountDeletion'),
  }),

  getAccountDeletion: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/account-deletions/{deleted_account_id}',
    permission: 'installation',
    repeat: 'harmless',
    tag: 'Accounts',
    summary: 'Get the deletion of an account',
    description: 'Returns who deleted an account and when, and whether all its data is deleted.',
    answer: AccountDeletion,
  }),
};
