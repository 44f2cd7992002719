import type { MailSummary } from '@roster/client';
import { mailStatuses } from '@roster/contract';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { fields } from '../../terminal/output.ts';
import { writeListing, type LimitOptions } from '../../terminal/records.ts';

interface FilterOptions extends LimitOptions {
  readonly status?: MailSummary['status'];
}

/** Adds `roster mails`: the mails that the service writes. */
export function addMailCommands(program: RosterCommand): void {
  const mails = program.command('mails').description('mails that the service has sent or stored');

  mails
    .command('list')
    .limited()
    .choice('--status <status>', 'only mails of this status', mailStatuses)
    .described('list the newest mails', 'roster mails list --status failed')
    .onAccount<FilterOptions>(({ account, output, options: { limit, status } }) =>
      writeListing(output, given({ limit }), (page) => account.mails.list({ ...page, ...given({ status }) }), {
        MAIL: (one) => one.mail_id,
        CREATED: (one) => one.created_at,
        TO: (one) => one.to,
        SUBJECT: (one) => one.subject,
        STATUS: (one) => one.status,
        ERROR: (one) => one.last_error?.message,
      }),
    );

  mails
    .command('show')
    .argument('<mail_id>', 'identifier of the mail')
    .described('show a mail with its text', 'roster mails show 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11')
    .onAccount<object, [string]>(async ({ account, output }, id) => {
      const found = await account.mails.get(id);
      const { to, subject, status, attempts, created_at, sent_at } = found;
      await output.result(
        found,
        () =>
          `${fields(output, { to, subject, status, attempts, created_at, sent_at })}\n\n${printableText(found.text)}`,
      );
    });
}

/** Keeps the lines of a text, and replaces other control characters: they could control the terminal. */
function printableText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\uFFFD').trimEnd();
}
