import type pg from 'pg';

// The timeline of the primary, in the form of the names of WAL files.
const timeline = `left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)`;

/** The number of marks that are kept. A replica can be some marks ahead of what a read has seen. */
const keptMarks = 16;

/**
 * SQL: whether the newest mark is of the present timeline and at most so many seconds old. The clock
 * can be set back a little. If it is set back by more, a new mark is due.
 */
const markedWithin = (seconds: number): string =>
  `coalesce(history_marks.timeline = ${timeline} and
     history_marks.written_at[1] between clock_timestamp() - interval '${seconds} s' and clock_timestamp() + interval '1 s', false)`;

/** SQL on the primary: whether a new mark is due. All processes together write one a second. */
export const isMarkDue = `not ${markedWithin(1)}`;

/**
 * SQL on the primary: the newest mark, or null if it proves nothing about a server that has it.
 *
 * A promotion begins a new timeline, so a mark of an earlier timeline proves nothing. The limit of
 * 5 s is for a primary that was replaced by a copy of its disk: the copy has the same timeline.
 */
export const provingMark = `case when ${markedWithin(5)} then history_marks.marks[1]::text end`;

/** Writes a mark if one is due. Rejects if the server does not accept writes. */
export async function writeMark(primary: pg.Pool | pg.Client): Promise<void> {
  // One message is one transaction. The mark must be on the disk of the primary before others see
  // it. It must not wait for a synchronous standby that is down.
  await primary.query(`
    set local synchronous_commit = local;
    set local lock_timeout = '1s';
    insert into history_marks (timeline, marks, written_at)
    values (${timeline}, array[gen_random_uuid()], array[clock_timestamp()])
    on conflict (one_row) do update set
      timeline = excluded.timeline,
      marks = excluded.marks || history_marks.marks[1:${keptMarks - 1}],
      written_at = excluded.written_at || history_marks.written_at[1:${keptMarks - 1}]
    where ${isMarkDue}`);
}
