import { Erasure } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { countForgotten } from '#features/contacts/forgotten/forgotten-store.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { listErasures } from './store/erasure-store.ts';
import { eraseContact, getErasure, undoForgotten, viewOf } from './erasures.ts';

/** Adds the operator routes of erasures and forgotten people (docs/privacy.md). */
export function erasureRoutes(app: FastifyInstance, service: Service): void {
  const { context } = service;

  serve(app, 'eraseContact', {
    handle: ({ params, requestId, actor: { author }, disconnectSignal }) =>
      eraseContact(service, params.account_id, params.contact_id, { requestId, author }, disconnectSignal()),
  });

  serve(app, 'listErasures', {
    async handle({ params: { account_id }, query }) {
      await requireAccount(context.db, account_id);
      const page = await newestPageOf(query, {
        load: (before, limit) => listErasures(context.db, account_id, before, limit),
        idOf: (row) => row.request_id,
        view: (row) => row,
      });
      const data: Erasure[] = [];
      // One query at a time, so that a page does not take all connections of the process.
      for (const row of page.data) data.push(await viewOf(context.db, row));
      return { ...page, data };
    },
  });

  serve(app, 'getErasure', {
    handle: async ({ params: { account_id: accountId, request_id: requestId } }) =>
      getErasure(context, { accountId, requestId }),
  });

  serve(app, 'getForgotten', {
    async handle({ params: { account_id } }) {
      await requireAccount(context.db, account_id);
      return { people: await countForgotten(context.db, account_id) };
    },
  });

  serve(app, 'undoForgotten', {
    handle: async ({ params: { account_id }, body, actor }) => ({
      people: await undoForgotten(context, account_id, body, actor.author),
    }),
  });
}
