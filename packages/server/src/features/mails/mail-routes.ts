import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { notFound } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { findMail, listMails } from './mail-store.ts';
import { mailDetailView, mailView } from './mail-view.ts';

/** Registers the operator's operations on mails. */
export function mailRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listMails', {
    async handle({ params: { account_id }, query: { status, ...page } }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(page, {
        load: (before, limit) => listMails(context.db, account_id, { status, before }, limit),
        idOf: (row) => row.mail_id,
        view: mailView,
      });
    },
  });

  serve(app, 'getMail', {
    async handle({ params: { account_id, mail_id }, actor }) {
      const mail = await findMail(context.db, account_id, mail_id);
      if (mail === undefined) {
        throw notFound(`mail ${mail_id} in account ${account_id}`);
      }
      return mailDetailView(mail, actor.can('unmasked', account_id));
    },
  });
}
