import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { expect, test } from 'vitest';
import { describeError } from './describe-error.ts';

/** Returns the error of connecting to a port. */
async function connectionError(port: number, connectionTimeoutMillis: number): Promise<unknown> {
  const client = new pg.Client({ host: 'localhost', port, connectionTimeoutMillis });
  return client.connect().then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('describeError describes a refused database connection without a stack trace', async () => {
  const description = describeError(await connectionError(1, 5000));
  expect(description).toMatchObject({ code: 'ECONNREFUSED', message: expect.stringContaining('ECONNREFUSED') });
  expect(description).not.toHaveProperty('stack');
});

test('describeError describes a database connection timeout without a stack trace', async () => {
  const silent = createServer().listen(0, 'localhost');
  await once(silent, 'listening');
  try {
    const description = describeError(await connectionError((silent.address() as AddressInfo).port, 50));
    expect(description).toEqual({ type: 'Error', message: 'timeout expired' });
  } finally {
    silent.close();
  }
});

test('describeError leaves out the message of PostgreSQL, because it can quote values of a row', () => {
  const error = Object.assign(new Error('Key (identity)=(asha@example.com) exists'), {
    code: '23505',
    severity: 'ERROR',
    constraint: 'contacts_pkey',
  });
  const description = describeError(error);
  expect(description).toMatchObject({ code: '23505', constraint: 'contacts_pkey' });
  expect(JSON.stringify(description)).not.toContain('asha');
});

test('describeError keeps the message and the stack trace of a defect', () => {
  const description = describeError(new TypeError('x is not a function'));
  expect(description).toMatchObject({ type: 'TypeError', message: 'x is not a function' });
  expect(description).toHaveProperty('stack', expect.stringContaining('describe-error.test'));
});
