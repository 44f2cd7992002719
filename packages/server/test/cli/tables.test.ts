import { PassThrough, Writable } from 'node:stream';
import { Listing } from '@roster/client';
import { describe, expect, test } from 'vitest';
import { createOutput } from '#app/cli/terminal/output.ts';
import { writeListing } from '#app/cli/terminal/records.ts';
import { table } from '#app/cli/terminal/table.ts';

/** Output to a stream that is not a terminal. */
const outputTo = (stdout: Writable) =>
  createOutput({ stdin: new PassThrough(), stdout, stderr: new PassThrough() }, false);

/** A stream that keeps what is written to it. After `limit` writes, its reader has exited. */
function keeper(limit = Infinity): Writable & { texts: string[] } {
  const texts: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (texts.length >= limit) return done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      texts.push(chunk.toString('utf8'));
      done();
    },
  });
  stream.on('error', () => undefined);
  return Object.assign(stream, { texts });
}

const columns = { ID: (row: { id: number }) => row.id, NAME: (row: { id: number }) => `contact ${row.id}` };

/** A listing of rows, and the number of pages that were fetched. */
function numbered(total: number) {
  const seen = { pages: 0 };
  const list = ({ limit }: { readonly limit: number }) =>
    new Listing<{ id: number }>(async (cursor = '0') => {
      seen.pages++;
      const next = Math.min(Number(cursor) + limit, total);
      const data = Array.from({ length: next - Number(cursor) }, (_, at) => ({ id: Number(cursor) + at }));
      return { data, next_cursor: next < total ? String(next) : null };
    });
  return { seen, list };
}

describe('a long table', () => {
  test('the time of a table is proportional to the number of its rows', async () => {
    const headers = Array.from({ length: 16 }, (_, at) => `COLUMN ${at}`);
    const seconds = async (count: number): Promise<number> => {
      const rows = Array.from({ length: count }, (_, row) => headers.map((_header, column) => `${row}.${column}`));
      const before = process.cpuUsage();
      expect((await table(outputTo(keeper()), headers, rows)).split('\n')).toHaveLength(count + 1);
      return process.cpuUsage(before).user;
    };
    await seconds(200);
    const few = await seconds(400);
    expect((await seconds(3200)) / few).toBeLessThan(14);
  });

  test('all rows of a table are aligned, and a wide cell in a late row is not cut', async () => {
    const rows = Array.from({ length: 130 }, (_, at) => [at, at === 129 ? 'a very long city' : 'Goa', 'x']);
    const lines = (await table(outputTo(keeper()), ['ID', 'CITY', 'X'], rows)).split('\n');
    expect(lines[0]).toBe('ID   CITY              X');
    expect(lines[1]).toBe('0    Goa               x');
    expect(lines.at(-1)).toBe('129  a very long city  x');
    expect(lines).toHaveLength(131);
  });

  test('a long listing is written page by page, with one header', async () => {
    const stdout = keeper();
    await writeListing(outputTo(stdout), { limit: Infinity }, numbered(1200).list, columns);
    expect(stdout.texts).toHaveLength(3);
    const lines = stdout.texts.join('').trimEnd().split('\n');
    expect(lines).toHaveLength(1201);
    expect([lines[0], lines[1], lines[1200]]).toEqual(['ID   NAME', '0    contact 0', '1199  contact 1199']);
  });

  test('a listing without rows has its header, and a limit at the end of a page finds more rows', async () => {
    const [empty, cut] = [keeper(), keeper()];
    await writeListing(outputTo(empty), {}, numbered(0).list, columns);
    expect(empty.texts).toEqual(['ID  NAME\n']);
    const output = outputTo(cut);
    const notes: string[] = [];
    await writeListing(
      { ...output, note: async (text) => void notes.push(text) },
      { limit: 500 },
      numbered(501).list,
      columns,
    );
    expect(cut.texts.join('').trimEnd().split('\n')).toHaveLength(501);
    expect(notes).toEqual(['There are more. --limit shows more than 500 rows, or all.']);
  });

  test('a listing ends when its reader has exited, before the other pages are fetched', async () => {
    const { seen, list } = numbered(100_000);
    const writing = writeListing(outputTo(keeper(1)), { limit: Infinity }, list, columns);
    await expect(writing).rejects.toMatchObject({ code: 'EPIPE' });
    expect(seen.pages).toBe(2);
  });
});
