import type { MailDocument } from '../format/mail-document.ts';
import { formatBytes, formatCount, formatMoment } from '../format/mail-format.ts';

/** What the mail about a finished export says: the facts of its callback, and the account for the reader. */
export interface ExportFinished {
  readonly requestId: string;
  readonly status: 'completed' | 'failed';
  readonly audienceType: 'list' | 'segment';
  readonly audienceId: number;
  /** Undefined when the audience is gone by now. */
  readonly audienceName?: string | undefined;
  readonly rowCount?: number | null | undefined;
  /** Bytes. */
  readonly fileSize?: number | null | undefined;
  /** Signed address of the file; only of a completed export. */
  readonly fileUrl?: string | null | undefined;
  /** When the file is deleted. */
  readonly expiresAt?: Date | null | undefined;
  /** Why it failed, in a sentence for callers. */
  readonly error?: string | null | undefined;
  readonly accountName: string;
  /** Time zone of the account (IANA); times are shown in it. */
  readonly timeZone: string;
}

/** Tells the address in `notify_email` of an export that it has ended. */
export function exportFinished(data: ExportFinished): MailDocument {
  const { status, audienceType, audienceId, audienceName, fileUrl, expiresAt, timeZone } = data;
  const audience =
    audienceName === undefined ? `the ${audienceType} ${audienceId}` : `the ${audienceType} “${audienceName}”`;
  const expires = expiresAt == null ? undefined : formatMoment(expiresAt, timeZone);
  const facts = {
    kind: 'facts',
    facts: [
      ['Account', data.accountName],
      [
        'Audience',
        audienceName === undefined
          ? `${audienceType} ${audienceId}`
          : `${audienceName} (${audienceType} ${audienceId})`,
      ],
      ['Request', data.requestId],
      ['Rows', data.rowCount == null ? undefined : formatCount(data.rowCount)],
      ['Size', data.fileSize == null ? undefined : formatBytes(data.fileSize)],
      ['Available until', expires],
      ['Reason', data.error ?? undefined],
    ],
  } as const;
  const footer = 'You get this mail because your address was given for news of this export.';
  if (status === 'failed') {
    const text = 'There is no file. Ask for the export again; if it fails again, the operators of the service see why.';
    return { subject: `The export of ${audience} failed`, blocks: [facts, { kind: 'paragraph', text }], footer };
  }
  const link = fileUrl == null ? [] : [{ kind: 'link', label: 'Download the file', url: fileUrl } as const];
  const warning = {
    kind: 'paragraph',
    text: 'Whoever has the link can download the file, so pass it on with care.',
  } as const;
  return { subject: `The export of ${audience} is ready`, blocks: [facts, ...link, warning], footer };
}
