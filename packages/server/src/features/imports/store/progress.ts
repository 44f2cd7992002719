import type { Import } from '@roster/contract';
import type { ImportRow } from './import-store.ts';

/** How far an import is, how fast, and how long it will take at that speed. */
export function progressOf(row: ImportRow, now: Date): Import['progress'] {
  const { bytes_read: bytes, bytes_total: total, rows_read } = row;
  if (row.status === 'completed')
    return { percent: 100, rows_read, rows_per_second: averageRate(row), seconds_left: 0 };
  const share = total === null || total === 0 ? 0 : Math.min(bytes / total, 1);
  // All of it was read some tenths of a second before all of it is applied.
  const percent = Math.min(99, Math.floor(share * 100));
  const seconds = row.run_started_at === null ? 0 : (now.getTime() - row.run_started_at.getTime()) / 1000;
  const read = bytes - row.run_started_bytes;
  if (row.status !== 'running' || seconds <= 0 || read <= 0) {
    return { percent, rows_read, rows_per_second: null, seconds_left: null };
  }
  return {
    percent,
    rows_read,
    rows_per_second: Math.round((rows_read - row.run_started_rows) / seconds),
    seconds_left: total === null ? null : Math.ceil(((total - Math.min(bytes, total)) * seconds) / read),
  };
}

function averageRate({ rows_read, started_at, finished_at }: ImportRow): number | null {
  const seconds = (finished_at!.getTime() - (started_at ?? finished_at!).getTime()) / 1000;
  return seconds > 0 ? Math.round(rows_read / seconds) : null;
}
