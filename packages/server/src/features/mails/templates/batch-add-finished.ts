import type { BatchAddReport } from '@roster/contract';
import type { MailBlock, MailDocument, MailFact } from '../format/mail-document.ts';
import { formatCount } from '../format/mail-format.ts';

/**
 * The data of the mail about a batch that has ended: the report of its callback, and the account.
 */
export interface BatchAddFinished {
  readonly report: BatchAddReport;
  /** Undefined when the list was deleted. */
  readonly listName?: string | undefined;
  readonly accountName: string;
}

/** Maximum errors that a mail shows. The callback contains more. */
const shownErrors = 50;

/** The mail to the `notifyemail` of a batch that has ended. */
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
    subject: failed === 0 ? `The batch for ${list} is done` : `The batch for ${list} is done, but some contacts failed`,
    blocks: [{ kind: 'facts', facts }, ...errorBlocks(errors)],
    footer: 'You get this mail because the request for this batch contains your address.',
  };
}

function errorBlocks(errors: BatchAddReport['errors']): MailBlock[] {
  if (errors.length === 0) return [];
  const facts = errors
    .slice(0, shownErrors)
    .map(({ index, code, message }): MailFact => [`Contact ${index}`, `${message} (${code})`]);
  const more = errors.length - facts.length;
  return [
    { kind: 'paragraph', text: 'Errors by the position of the contact in data. The first contact is 0.' },
    { kind: 'facts', facts },
    ...(more > 0
      ? [{ kind: 'paragraph', text: `The callback contains ${formatCount(more)} more errors.` } as const]
      : []),
  ];
}
