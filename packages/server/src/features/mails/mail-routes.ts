import { ListMailsQuery, MailDetail, pageAnswer } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { findMail, listMails } from './mail-store.ts';
import { mailDetailView, mailView } from './mail-view.ts';

const tag = 'Mails';

const mailParams = Type.Object({
  ...accountParams.properties,
  mail_id: Type.String({ format: 'uuid' }),
});

/** The operator's view of the mails that the service writes (decisions §9). */
export function mailRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/mails',
    operationId: 'listMails',
    tag,
    summary: 'List mails',
    description:
      'Lists the mails of the account, newest first, whether they were sent or only stored. They stay for `ROSTER_MAIL_RETENTION_DAYS`.',
    params: accountParams,
    query: ListMailsQuery,
    answer: pageAnswer('MailSummary'),
    async handle({ params: { account_id }, query: { status, ...page } }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(page, {
        load: (before, limit) => listMails(context.db, account_id, { status, before }, limit),
        idOf: (row) => row.mail_id,
        view: mailView,
      });
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/mails/:mail_id',
    operationId: 'getMail',
    tag,
    summary: 'Get a mail',
    description:
      'Answers one mail with its texts, so that mails can be read, and their links opened, where no mail server is configured.',
    params: mailParams,
    answer: MailDetail,
    async handle({ params: { account_id, mail_id } }) {
      const mail = await findMail(context.db, account_id, mail_id);
      if (mail === undefined) {
        throw new ApiError('not_found', { params: { what: `mail ${mail_id} in account ${account_id}` } });
      }
      return mailDetailView(mail);
    },
  });
}
