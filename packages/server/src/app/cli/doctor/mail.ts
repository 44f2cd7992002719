import type { Config } from '#platform/config/config.ts';
import { verifyMailServer } from '#features/mails/mailer.ts';
import { SmtpFailure } from '#features/mails/smtp-failure.ts';
import { fault, note, ok, reasonOf, type Finding } from './finding.ts';

/** Connects to the mail server and logs in, without sending a mail. */
export async function checkMail({ smtpServer }: Pick<Config, 'smtpServer'>): Promise<readonly Finding[]> {
  if (smtpServer === undefined) {
    return [
      note(
        'No mail server is configured: mails are stored and not sent.',
        'Set SMTP_URL and ROSTER_MAIL_FROM to send them.',
      ),
    ];
  }
  const place = `${smtpServer.host}:${smtpServer.port}`;
  try {
    await verifyMailServer(smtpServer);
  } catch (error) {
    const reply = error instanceof SmtpFailure && error.reply !== undefined ? ` (${error.reply})` : '';
    return [
      fault(
        `The mail server ${place} cannot be used${reply}: ${reasonOf(error)}`,
        'Check SMTP_URL; docs/mails.md describes its parts.',
      ),
    ];
  }
  const login = smtpServer.login === undefined ? '' : ' and the login';
  return [ok(`The mail server ${place} takes the connection${login}.`)];
}
