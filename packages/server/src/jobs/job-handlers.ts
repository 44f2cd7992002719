import { deliver } from '../delivery/deliver.ts';
import { runExport } from '../exports/run-export.ts';
import { sendMailHandler } from '../mails/send-mail.ts';
import type { JobHandlers } from './job-table.ts';

/** What a worker process does for each kind of job. */
export const jobHandlers: JobHandlers = {
  deliver,
  export: runExport,
  send_mail: sendMailHandler(),
};
