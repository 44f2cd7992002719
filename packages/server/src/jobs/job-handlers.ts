import { deliver } from '../delivery/deliver.ts';
import { eraseRefusedItems, eraseTraces } from '../erasures/erase-traces.ts';
import { runExport } from '../exports/run-export.ts';
import { runImport } from '../imports/run-import.ts';
import { sendMailHandler } from '../mails/send-mail.ts';
import type { JobHandlers } from './job-table.ts';

/** What a worker process does for each kind of job. */
export const jobHandlers: JobHandlers = {
  deliver,
  erase_refused: eraseRefusedItems,
  erase_traces: eraseTraces,
  export: runExport,
  import: runImport,
  send_mail: sendMailHandler(),
};
