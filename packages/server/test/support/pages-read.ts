import pg from 'pg';

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Returns the number of table and index pages that PostgreSQL reads for the only statement of a
 * task.
 */
export async function pagesRead(url: string, task: (client: pg.ClientBase) => Promise<unknown>): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let statement: Statement | undefined;
    const recording = {
      query: (text: string | Statement, values: unknown[]) => {
        statement = typeof text === 'string' ? { text, values } : text;
        return client.query(text as string, values);
      },
    };
    await task(recording as unknown as pg.ClientBase);
    const { text, values } = statement!;
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  } finally {
    await client.end();
  }
}
