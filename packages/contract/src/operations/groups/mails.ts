import { ListMailsQuery, MailDetail } from '../../shapes/service/mails.ts';
import { pageAnswer } from '../../shapes/common/paging.ts';
import { operation } from '../definition/operation.ts';

/** The mails that the service sends. */
export const mailOperations = {
  listMails: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/mails',
    permission: 'mails:read',
    repeat: 'harmless',
    tag: 'Mails',
    summary: 'List mails',
    description:
      'Lists the mails of the account, newest first. The list includes mails that were sent and mails that were only stored. Mails are kept for `ROSTER_MAIL_RETENTION_DAYS` days.',
    query: ListMailsQuery,
    answer: pageAnswer('MailSummary'),
  }),

  getMail: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/mails/{mail_id}',
    permission: 'mails:read',
    repeat: 'harmless',
    tag: 'Mails',
    summary: 'Get a mail',
    description:
      'Returns one mail with its text and HTML. Without a mail server, you can read mails and open their links here.',
    answer: MailDetail,
  }),
};
