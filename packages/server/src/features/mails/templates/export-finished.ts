import type { MailDocument } from '../format/mail-document.ts';
import { formatBytes, formatCount, formatMoment } from '../format/mail-format.ts';

/** The data of the mail about an export that has ended. */
export interface ExportFinished {
  readonly requestId: string;
  readonly status: 'completed' | 'failed';
  /** Null for an export of a filter. */
  readonly audienceType: 'list' | 'segment' | null;
  readonly audienceId: number | null;
  /** Undefined when the audience was deleted. */
  readonly audienceName?: string | undefined;
  readonly rowCount?: number | null | undefined;
  /** In bytes. */
  readonly fileSize?: number | null | undefined;
  /** Signed URL of the file of a completed export. */
  readonly fileUrl?: string | null | undefined;
  /** The place in S3 that has the file. */
  readonly place?: string | null | undefined;
  /** Time when the link ends. */
  readonly expiresAt?: Date | null | undefined;
  /** Message for the caller, when the export failed. */
  readonly error?: string | null | undefined;
  readonly accountName: string;
  /** Time zone of the account (IANA). The mail shows times in this zone. */
  readonly timeZone: string;
}

/** The mail to the `notify_email` of an export that has ended. */
export function exportFinished(data: ExportFinished): MailDocument {
  const { status, audienceType, audienceId, audienceName, fileUrl, expiresAt, timeZone } = data;
  const audience = nameOf(data);
  const expires = expiresAt == null ? undefined : formatMoment(expiresAt, timeZone);
  const facts = {
    kind: 'facts',
    facts: [
      ['Account', data.accountName],
      [
        'Audience',
        audienceType === null
          ? 'contacts that match a filter'
          : audienceName === undefined
            ? `${audienceType} ${audienceId}`
            : `${audienceName} (${audienceType} ${audienceId})`,
      ],
      ['Request', data.requestId],
      ['Rows', data.rowCount == null ? undefined : formatCount(data.rowCount)],
      ['Size', data.fileSize == null ? undefined : formatBytes(data.fileSize)],
      ['Place', data.place ?? undefined],
      ['Available until', expires],
      ['Reason', data.error ?? undefined],
    ],
  } as const;
  const footer = 'You get this mail because the request for this export contains your address.';
  if (status === 'failed') {
    const text = 'There is no file. Request the export again. If it fails again, ask the operator of the service.';
    return { subject: `The export of ${audience} failed`, blocks: [facts, { kind: 'paragraph', text }], footer };
  }
  const link = fileUrl == null ? [] : [{ kind: 'link', label: 'Download the file', url: fileUrl } as const];
  const text = 'Everyone who has the link can download the file. Share it with care.';
  const blocks = link.length === 0 ? [facts] : [facts, ...link, { kind: 'paragraph', text } as const];
  return { subject: `The export of ${audience} is ready`, blocks, footer };
}

function nameOf({ audienceType, audienceId, audienceName }: ExportFinished): string {
  if (audienceType === null) return 'filtered contacts';
  return audienceName === undefined ? `the ${audienceType} ${audienceId}` : `the ${audienceType} “${audienceName}”`;
}
