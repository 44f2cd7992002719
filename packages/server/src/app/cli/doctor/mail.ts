import type { Config } from '#platform/config/config.ts';
import { verifyMailServer } from '#features/mails/mailer.ts';
import { SmtpFailure } from '#features/mails/smtp-failure.ts';
import { fault, note, ok, reasonOf, type Finding } from './findings/finding.ts';

/** Checks the mail server: connects and logs in, but sends nothing. */
export async function checkMail({ smtpServer }: Pick<Config, 'smtpServer'>): Promise<readonly Finding[]> {
  if (smtpServer === undefined) {
    return [
      note(
        'No mail server is configured. Mails are stored but not sent.',
        'To send mails, set SMTP_URL and ROSTER_MAIL_FROM.',
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
        'Check SMTP_URL. docs/mails.md describes its parts.',
      ),
    ];
  }
  const login = smtpServer.login === undefined ? '' : ' and the login';
  return [ok(`The mail server ${place} accepts the connection${login}.`)];
}
