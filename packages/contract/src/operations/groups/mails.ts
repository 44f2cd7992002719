import { ListMailsQuery, MailDetail } from '../../shapes/service/mails.ts';
import { pageAnswer } from '../../shapes/common/paging.ts';
import { operation } from '../definition/operation.ts';

/** The mails that the service writes. */
export const mailOperations = {
  listMails: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/mails',
    repeat: 'harmless',
    tag: 'Mails',
    summary: 'List mails',
    description:
      'Lists the mails of the account, newest first, whether they were sent or only stored. They stay for `ROSTER_MAIL_RETENTION_DAYS`.',
    query: ListMailsQuery,
    answer: pageAnswer('MailSummary'),
  }),

  getMail: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/mails/{mail_id}',
    repeat: 'harmless',
    tag: 'Mails',
    summary: 'Get a mail',
    description:
      'Answers one mail with its texts, so that mails can be read, and their links opened, where no mail server is configured.',
    answer: MailDetail,
  }),
};
