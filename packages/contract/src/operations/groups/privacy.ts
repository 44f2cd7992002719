import { EraseContactQuery, Erasure, Forgotten, RememberBody, Remembered } from '../../shapes/people/erasures.ts';
import { PageQuery, pageAnswer } from '../../shapes/common/paging.ts';
import { PersonExport } from '../../shapes/people/person-export.ts';
import { operation } from '../definition/operation.ts';

/** Exporting and erasing everything that is known about a person. */
export const privacyOperations = {
  exportContact: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}/export',
    permission: 'privacy:write',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'Export a contact',
    description: [
      'Returns everything that the service knows about one person, as a consistent snapshot: the contact with every attribute, lists and segments, opt-outs, sign-ups, mails, requests that named it and are still kept, and all its activities. Nothing is masked. If the account has masked attributes, the caller needs the permission `unmasked`, too.',
      'The answer is streamed without a `Content-Length`, because it can be long. If an error occurs, the connection is closed and the last field, `complete`, is missing. A process writes two such exports at the same time. Further requests return 503 (`overloaded`).',
      'The audit log records that the contact with this number was exported.',
    ].join('\n\n'),
    answer: PersonExport,
  }),

  eraseContact: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}',
    permission: 'privacy:write',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'Erase a contact',
    description: [
      'Erases a person. Waits for the requests that were accepted before. When the answer arrives, the contact is gone with its memberships, opt-outs and activities. If the person is sent again, the item fails with `contact_forgotten` (setting `reject_forgotten_contacts`).',
      'A background task then erases the other traces: items and failures of stored requests, mails to the person, sign-ups, and files of import failures that name the person. **Get an erasure** shows when this is done.',
      'Files of exports stay until they expire. The answer lists the files that may contain the person. The audit log records that the contact with this number was erased, and nothing else about the person. docs/privacy.md lists what is erased, what stays and why.',
      'An erasure cannot be undone. A second erasure of the same contact returns 404.',
    ].join('\n\n'),
    query: EraseContactQuery,
    answer: Erasure,
    errors: ['pipeline_busy'],
  }),

  listErasures: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/erasures',
    permission: 'privacy:read',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'List erasures',
    description: 'Lists the erasures of the account and their progress, newest first.',
    query: PageQuery,
    answer: pageAnswer('Erasure'),
  }),

  getErasure: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/erasures/{request_id}',
    permission: 'privacy:read',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'Get an erasure',
    description: 'Returns whether the erasure is complete, and which files of exports may still contain the person.',
    answer: Erasure,
  }),

  getForgotten: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/forgotten',
    permission: 'privacy:read',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'Count forgotten people',
    description:
      'Returns the number of erased people whose hashes are kept, so that they are not stored again. The service cannot tell who they are.',
    answer: Forgotten,
  }),

  undoForgotten: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/forgotten/undo',
    permission: 'privacy:write',
    repeat: 'unsafe',
    tag: 'Privacy',
    summary: 'Allow a forgotten person again',
    description:
      'Deletes the hashes of the erased person who had this identity, e-mail address or mobile number. Then the person can be stored again. Erased data is not restored. A person who signs up and confirms the address does not need this operation.',
    body: RememberBody,
    examples: { email: { summary: 'By the address', value: { email: 'gone@example.com' } } },
    answer: Remembered,
  }),
};
