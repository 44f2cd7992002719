import type { BatchAddReport } from '@roster/contract';
import type { MailBlock, MailDocument, MailFact } from '../format/mail-document.ts';
import { formatCount } from '../format/mail-format.ts';

/** What the mail about a finished batch says: the facts of its callback, and the account for the reader. */
export interface BatchAddFinished {
  readonly report: BatchAddReport;
  /** Undefined when the list is gone by now. */
  readonly listName?: string | undefined;
  readonly accountName: string;
}

/** Most errors of a mail: more than anybody reads. The callback has more of them. */
const shownErrors = 50;

/** Tells the address in `notifyemail` of a batch that it has ended. */
export function batchAddFinished({ report, listName, accountName }: BatchAddFinished): MailDocument {
  const { job_id, listid, total, created, updated, failed, errors } = report;
  const list = listName === undefined ? `the list ${listid}` : `the list “${listName}”`;
  const facts: MailFact[] = [
    ['Account', accountName],
    ['List', listName === undefined ? String(listid) : `${listName} (${listid})`],
    ['Job', job_id],
    ['Contacts', formatCount(total)],
    ['Created', formatCount(created)],
    ['Updated', formatCount(updated)],
    ['Failed', formatCount(failed)],
  ];
  return {
    subject: failed === 0 ? `The batch for ${list} is done` : `The batch for ${list} is done; some contacts failed`,
    blocks: [{ kind: 'facts', facts }, ...errorBlocks(errors)],
    footer: 'You get this mail because your address was given for news of this batch.',
  };
}

function errorBlocks(errors: BatchAddReport['errors']): MailBlock[] {
  if (errors.length === 0) return [];
  const facts = errors
    .slice(0, shownErrors)
    .map(({ index, code, message }): MailFact => [`Contact ${index}`, `${message} (${code})`]);
  const more = errors.length - facts.length;
  return [
    { kind: 'paragraph', text: 'What went wrong, by the place of the contact in data, from 0:' },
    { kind: 'facts', facts },
    ...(more > 0
      ? [{ kind: 'paragraph', text: `And ${formatCount(more)} more, which the callback has.` } as const]
      : []),
  ];
}
