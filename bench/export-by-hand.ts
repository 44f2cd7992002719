import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { BenchService } from './support.ts';

/** Returns the keys that the attributes have in the column `attributes`. */
export async function attributeKeys(database: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ name: string; attribute_id: number }>(
    'select name, attribute_id from attributes where account_id = 1',
  );
  const ids = new Map(rows.map((row) => [row.name, row.attribute_id]));
  return names.map((name) => `1.${ids.get(name)}`);
}

/**
 * Copies the same columns of the same contacts in any order, and discards the data. Returns the
 * number of rows.
 */
export async function copyByHand(database: pg.Client, keys: readonly string[], where: string): Promise<number> {
  const columns = ['email', 'mobile', ...keys.map((key) => `attributes ->> '${key}'`)].join(', ');
  const statement = `copy (select ${columns} from contacts where account_id = 1 and ${where}) to stdout (format csv)`;
  const rows = database.query(copyTo(statement));
  for await (const chunk of rows) void chunk;
  return rows.rowCount;
}

/** Requests an export, and waits until its file is complete. Returns the number of rows. */
export async function runExport(
  service: BenchService,
  audience: object,
  names: readonly string[],
): Promise<{ rows: number }> {
  const attributes_needed = ['EMAIL', 'MOBILE', ...names];
  const answer = await service.pool.request({
    method: 'POST',
    path: '/v4/audience/export',
    headers: { 'api-key': service.apiKey },
    body: JSON.stringify({ audience_details: { ...audience, attributes_needed }, callback_details: {} }),
  });
  const { data } = (await answer.body.json()) as { data: { request_id?: string } };
  if (data.request_id === undefined) throw new Error(`the export was refused: ${JSON.stringify(data)}`);
  for (;;) {
    const found = await service.operator('GET', `/exports/${data.request_id}`);
    if (found['status'] === 'completed') return { rows: Number(found['rows_written']) };
    if (found['finished_at'] !== null) throw new Error(`the export ended: ${JSON.stringify(found)}`);
    await sleep(5);
  }
}
