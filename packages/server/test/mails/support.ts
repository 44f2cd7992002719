import type { MailDetail, MailStatus } from '@roster/contract';
import type { Config } from '#platform/config/config.ts';
import type { Context } from '#platform/context.ts';
import { createMail } from '#features/mails/mails.ts';
import type { ExportFinished } from '#features/mails/templates/export-finished.ts';
import { until } from '../crash/wait.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import type { TestSmtp } from '../support/smtp.ts';

/** Returns the data of a mail about a finished export, with some changes. */
export function exportFacts(changes: Partial<ExportFinished> = {}): ExportFinished {
  return {
    requestId: '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
    status: 'completed',
    audienceType: 'list',
    audienceId: 1,
    audienceName: 'Newsletter',
    rowCount: 5,
    fileSize: 100,
    fileUrl: 'https://roster.example.com/files/a',
    expiresAt: new Date('2026-02-07T09:00:00Z'),
    accountName: 'Acme',
    timeZone: 'UTC',
    ...changes,
  };
}

/** Returns the configuration for a mail server. */
export function mailConfig(
  smtp: TestSmtp,
  parts?: Parameters<TestSmtp['address']>[0],
): Pick<Config, 'smtpServer' | 'mailFrom'> {
  return {
    smtpServer: smtp.address(parts),
    mailFrom: { address: 'roster@roster.example.com', name: 'Roster, at work' },
  };
}

/** Writes a mail about an export in a separate transaction, and returns its id. */
export async function writeMail(
  context: Context,
  {
    accountId = 1,
    to = 'asha@example.com',
    ...facts
  }: { accountId?: number; to?: string } & Partial<ExportFinished> = {},
): Promise<string> {
  return context.db
    .transaction()
    .execute((trx) =>
      createMail(trx, context, { accountId, to, template: 'export_finished', data: exportFacts(facts) }),
    );
}

/** Returns a mail as operators see it. */
export async function mailOf(account: TestAccount, mailId: string): Promise<MailDetail> {
  return (await account.operator('GET', `/mails/${mailId}`)).body as MailDetail;
}

/** Waits until a mail fulfils a condition, and returns it. */
export async function mailThat(
  account: TestAccount,
  mailId: string,
  isWanted: (mail: MailDetail) => boolean,
): Promise<MailDetail> {
  let mail: MailDetail | undefined;
  try {
    return await until(
      'the mail fulfils the condition',
      25_000,
      async () => isWanted((mail = await mailOf(account, mailId))) && mail,
      5,
    );
  } catch (error) {
    throw new Error(JSON.stringify({ ...mail, text: undefined, html: undefined }), { cause: error });
  }
}

/** Waits until a mail has a status, and returns it. */
export async function mailWith(account: TestAccount, mailId: string, status: MailStatus): Promise<MailDetail> {
  return mailThat(account, mailId, (mail) => mail.status === status);
}

/** Returns the number of jobs that wait or run. */
export async function waitingJobs({ context }: TestService): Promise<number> {
  const { rows } = await context.pool.query<{ count: number }>('select count(*) from roster_jobs.jobs');
  return rows[0]!.count;
}
