import type { MailDocument } from '../format/mail-document.ts';

/** The data of the mail about a schedule that was disabled. */
export interface ExportScheduleDisabled {
  readonly scheduleName: string;
  readonly scheduleId: string;
  /** Number of failures in a row. */
  readonly failures: number;
  /** Why the last run failed. */
  readonly reason: string;
  readonly accountName: string;
}

/** The mail to the `notify_email` of an export schedule that failed too often. */
export function exportScheduleDisabled(data: ExportScheduleDisabled): MailDocument {
  const { scheduleName, scheduleId, failures, reason, accountName } = data;
  return {
    subject: `The export schedule “${scheduleName}” was disabled`,
    blocks: [
      { kind: 'paragraph', text: `The last ${failures} runs failed, so the schedule does not run anymore.` },
      {
        kind: 'facts',
        facts: [
          ['Account', accountName],
          ['Schedule', `${scheduleName} (${scheduleId})`],
          ['Reason of the last failure', reason],
        ],
      },
      { kind: 'paragraph', text: 'Remove the cause, then change the schedule. Every change enables it again.' },
    ],
    footer: 'You get this mail because the schedule contains your address.',
  };
}
