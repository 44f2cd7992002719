import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { mailRoutes } from './mail-routes.ts';
import { deleteOldMails } from './mail-upkeep.ts';
import { createMailer, mailConnections } from './mailer.ts';
import { sendMailHandler } from './send-mail.ts';

/** Mails: their templates, the table of mails, and sending them over SMTP. */
export const mails: Feature = {
  name: 'mails',
  routes: { operator: [mailRoutes] },
  openContext: ({ config }) => ({ mailer: createMailer(config) }),
  upkeep: [{ interval: hour, run: deleteOldMails, deletesByAge: true }],
  jobs: { send_mail: { concurrency: mailConnections, run: sendMailHandler() } },
};
