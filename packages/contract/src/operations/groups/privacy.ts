import { EraseContactQuery, Erasure, Forgotten, RememberBody, Remembered } from '../../shapes/people/erasures.ts';
import { PageQuery, pageAnswer } from '../../shapes/common/paging.ts';
import { PersonExport } from '../../shapes/people/person-export.ts';
import { operation } from '../definition/operation.ts';

/** What is known of one person, and its erasure. */
export const privacyOperations = {
  exportContact: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}/export',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'Export a contact',
    description: [
      'Answers all that the service knows of one person, as it is at one moment: the contact with every attribute (nothing is masked: the operator token stands above the scopes of API keys), lists and segments, opt-outs, sign-ups, mails, the requests that touched it as far as they are kept, and all its activities.',
      'The answer is streamed, and can be long: it has no `Content-Length`. An answer that breaks off is recognised by its connection, which is cut, and by the last field, `complete`, which is missing. Two exports are written at the same time; further ones are told to come again.',
      'The audit log keeps that the contact of this number was exported.',
    ].join('\n\n'),
    answer: PersonExport,
  }),

  eraseContact: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'Erase a contact',
    description: [
      'Erases a person, after every request that was accepted before: when the answer comes, the contact is gone with its memberships, opt-outs and activities, and is refused with `contact_forgotten` when it is sent again (setting `reject_forgotten_contacts`). A background task then erases its items from the payloads and failures of the requests that are kept, the mails to it, its sign-ups, and files of failures of imports that name it; `GET …/erasures/{request_id}` tells when that is done.',
      'Files of exports stay until they expire: the answer lists those that may contain the person. The audit log keeps that the contact of this number was erased, and nothing about the person. docs/privacy.md has what is erased, what stays and why.',
      'It cannot be taken back. A second erasure of the same contact is 404.',
    ].join('\n\n'),
    query: EraseContactQuery,
    answer: Erasure,
    errors: ['pipeline_busy'],
  }),

  listErasures: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/erasures',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'List erasures',
    description: 'Lists the erasures of the account, newest first, with what became of them.',
    query: PageQuery,
    answer: pageAnswer('Erasure'),
  }),

  getErasure: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/erasures/{request_id}',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'Get an erasure',
    description: 'Answers whether everything of an erasure is done, and which files of exports are left.',
    answer: Erasure,
  }),

  getForgotten: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/forgotten',
    repeat: 'harmless',
    tag: 'Privacy',
    summary: 'Count forgotten people',
    description:
      'Answers of how many erased people the account keeps hashes, so that they are not imported again. Who they are is not known here.',
    answer: Forgotten,
  }),

  undoForgotten: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/forgotten/undo',
    repeat: 'unsafe',
    tag: 'Privacy',
    summary: 'Let a forgotten person come back',
    description:
      'Deletes the hashes of the erased person who had this identity, address or number, so that they can be imported again. Nothing that was erased comes back. A person who signs up and confirms the address needs no operator.',
    body: RememberBody,
    examples: { email: { summary: 'By the address', value: { email: 'gone@example.com' } } },
    answer: Remembered,
  }),
};
