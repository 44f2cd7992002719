import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { expect, test } from 'vitest';
import { describeError } from './describe-error.ts';

/** What connecting to an address fails with. */
async function connectionError(port: number, connectionTimeoutMillis: number): Promise<unknown> {
  const client = new pg.Client({ host: 'localhost', port, connectionTimeoutMillis });
  return client.connect().then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('a database that does not listen is described in words and without a stack', async () => {
  const description = describeError(await connectionError(1, 5000));
  expect(description).toMatchObject({ code: 'ECONNREFUSED', message: expect.stringContaining('ECONNREFUSED') });
  expect(description).not.toHaveProperty('stack');
});

test('a database that does not answer in time is described in words and without a stack', async () => {
  const silent = createServer().listen(0, 'localhost');
  await once(silent, 'listening');
  try {
    const description = describeError(await connectionError((silent.address() as AddressInfo).port, 50));
    expect(description).toEqual({ type: 'Error', message: 'timeout expired' });
  } finally {
    silent.close();
  }
});

test('the message of PostgreSQL is left out, because it can quote values of a row', () => {
  const error = Object.assign(new Error('Key (identity)=(asha@example.com) exists'), {
    code: '23505',
    severity: 'ERROR',
    constraint: 'contacts_pkey',
  });
  const description = describeError(error);
  expect(description).toMatchObject({ code: '23505', constraint: 'contacts_pkey' });
  expect(JSON.stringify(description)).not.toContain('asha');
});

test('a defect keeps its message and its stack', () => {
  const description = describeError(new TypeError('x is not a function'));
  expect(description).toMatchObject({ type: 'TypeError', message: 'x is not a function' });
  expect(description).toHaveProperty('stack', expect.stringContaining('describe-error.test'));
});
