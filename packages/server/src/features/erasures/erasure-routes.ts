import {
  Erasure,
  EraseContactQuery,
  Forgotten,
  pageAnswer,
  PageQuery,
  RememberBody,
  Remembered,
} from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { contactParams } from '#features/contacts/routes/move-routes.ts';
import { countForgotten } from '#features/contacts/batch/forgotten-store.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { listErasures } from './erasure-store.ts';
import { eraseContact, getErasure, rememberPeople, viewOf } from './erasures.ts';

const tag = 'Privacy';

const erasureParams = Type.Object({
  ...accountParams.properties,
  request_id: Type.String({ format: 'uuid' }),
});

/** The erasure of people, and what is kept of them (docs/privacy.md). */
export function erasureRoutes(app: FastifyInstance, service: Service): void {
  const { context } = service;

  serveAdmin(app, {
    method: 'DELETE',
    path: '/accounts/:account_id/contacts/:contact_id',
    operationId: 'eraseContact',
    tag,
    summary: 'Erase a contact',
    description: [
      'Erases a person, after every request that was accepted before: when the answer comes, the contact is gone with its memberships, opt-outs and activities, and is refused with `contact_forgotten` when it is sent again (setting `reject_forgotten_contacts`). A background task then erases its items from the payloads and failures of the requests that are kept, the mails to it, its sign-ups, and files of failures of imports that name it; `GET …/erasures/{request_id}` tells when that is done.',
      'Files of exports stay until they expire: the answer lists those that may contain the person. The audit log keeps that the contact of this number was erased, and nothing about the person. docs/privacy.md has what is erased, what stays and why.',
      'It cannot be taken back. A second erasure of the same contact is 404.',
    ].join('\n\n'),
    params: contactParams,
    query: EraseContactQuery,
    answer: Erasure,
    errors: ['pipeline_busy'],
    handle: ({ params, requestId }) => eraseContact(service, params.account_id, params.contact_id, requestId),
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/erasures',
    operationId: 'listErasures',
    tag,
    summary: 'List erasures',
    description: 'Lists the erasures of the account, newest first, with what became of them.',
    params: accountParams,
    query: PageQuery,
    answer: pageAnswer('Erasure'),
    async handle({ params: { account_id }, query }) {
      await requireAccount(context.db, account_id);
      const page = await newestPageOf(query, {
        load: (before, limit) => listErasures(context.db, account_id, before, limit),
        idOf: (row) => row.request_id,
        view: (row) => row,
      });
      const data: Erasure[] = [];
      // One after the other: a page must not take all connections of the process.
      for (const row of page.data) data.push(await viewOf(context.db, row));
      return { ...page, data };
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/erasures/:request_id',
    operationId: 'getErasure',
    tag,
    summary: 'Get an erasure',
    description: 'Answers whether everything of an erasure is done, and which files of exports are left.',
    params: erasureParams,
    answer: Erasure,
    handle: async ({ params: { account_id: accountId, request_id: requestId } }) =>
      getErasure(context, { accountId, requestId }),
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/forgotten',
    operationId: 'getForgotten',
    tag,
    summary: 'Count forgotten people',
    description:
      'Answers of how many erased people the account keeps hashes, so that they are not imported again. Who they are is not known here.',
    params: accountParams,
    answer: Forgotten,
    async handle({ params: { account_id } }) {
      await requireAccount(context.db, account_id);
      return { people: await countForgotten(context.db, account_id) };
    },
  });

  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/forgotten/undo',
    operationId: 'undoForgotten',
    tag,
    summary: 'Let a forgotten person come back',
    description:
      'Deletes the hashes of the erased person who had this identity, address or number, so that they can be imported again. Nothing that was erased comes back. A person who signs up and confirms the address needs no operator.',
    params: accountParams,
    body: RememberBody,
    examples: { email: { summary: 'By the address', value: { email: 'gone@example.com' } } },
    answer: Remembered,
    handle: async ({ params: { account_id }, body }) => ({ people: await rememberPeople(context, account_id, body) }),
  });
}
