import { expect, test } from 'vitest';
import { formatBytes, formatMoment } from '../format/mail-format.ts';
import { writeMail } from '../mail-templates.ts';
import type { ExportFinished } from './export-finished.ts';

const completed: ExportFinished = {
  requestId: '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
  status: 'completed',
  audienceType: 'list',
  audienceId: 7,
  audienceName: 'Newsletter <2026> & "friends"',
  rowCount: 1_250_000,
  fileSize: 81_234_567,
  fileUrl: 'https://roster.example.com/files/a?signature=b&c=d',
  expiresAt: new Date('2026-02-07T09:00:00Z'),
  accountName: 'Acme India',
  timeZone: 'Asia/Kolkata',
};

test('the mail about a completed export has its facts, its link and the time in the time zone of the account', () => {
  const { subject, text, html } = writeMail('export_finished', completed);
  expect(subject).toBe('The export of the list “Newsletter <2026> & "friends"” is ready');
  expect(text).toBe(`The export of the list “Newsletter <2026> & "friends"” is ready

Account: Acme India
Audience: Newsletter <2026> & "friends" (list 7)
Request: 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11
Rows: 1,250,000
Size: 81.2 MB
Available until: 7 February 2026, 14:30 (Asia/Kolkata, GMT+5:30)

Download the file:
https://roster.example.com/files/a?signature=b&c=d

Everyone who has the link can download the file. Share it with care.

You get this mail because the request for this export contains your address.
`);
  expect(html).toContain('Newsletter &lt;2026&gt; &amp; &quot;friends&quot; (list 7)');
  expect(html).toContain('<a href="https://roster.example.com/files/a?signature=b&amp;c=d">Download the file</a>');
});

test('the mail about a failed export has the reason and no link', () => {
  const { subject, text, html } = writeMail('export_finished', {
    ...completed,
    status: 'failed',
    audienceType: 'segment',
    audienceName: undefined,
    rowCount: null,
    fileSize: null,
    fileUrl: null,
    expiresAt: null,
    error: 'The segment does not exist any more.',
  });
  expect(subject).toBe('The export of the segment 7 failed');
  expect(text).toContain('Audience: segment 7\n');
  expect(text).toContain('Reason: The segment does not exist any more.\n');
  expect(text).not.toMatch(/Rows|Size|Available|Download/);
  expect(html).not.toContain('<a ');
});

test('formatMoment respects summer time, and uses UTC for an unknown time zone', () => {
  const july = new Date('2026-07-01T22:30:00Z');
  expect(formatMoment(july, 'Europe/Berlin')).toBe('2 July 2026, 00:30 (Europe/Berlin, GMT+2)');
  expect(formatMoment(new Date('2026-01-01T22:30:00Z'), 'Europe/Berlin')).toBe(
    '1 January 2026, 23:30 (Europe/Berlin, GMT+1)',
  );
  expect(formatMoment(july, 'UTC')).toBe('1 July 2026, 22:30 (UTC)');
  expect(formatMoment(july, 'Mars/Olympus_Mons')).toBe('1 July 2026, 22:30 (UTC)');
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1 MB'],
  [3_200_000_000, '3.2 GB'],
])('formatBytes shows %i bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
