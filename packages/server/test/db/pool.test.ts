import { once } from 'node:events';
import net from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { databaseFault, openPool } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { createTestDatabase } from '../support/database.ts';

const log = pino({ level: 'silent' });

/** Starts a server that accepts connections and never answers. */
async function silentServer(): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `postgres://roster@127.0.0.1:${(server.address() as net.AddressInfo).port}/none`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a connection that is not made in time', () => {
  test('a connection timeout means an unreachable database if this process was idle', async () => {
    await using server = await silentServer();
    const pool = openPool({ url: server.url, name: 'test', size: 2, log });
    const error: unknown = await pool.connect().catch((failure: unknown) => failure);
    expect([databaseFault(error), error instanceof DatabaseBusy]).toEqual(['unreachable', false]);
    await pool.end();
  }, 30_000);

  test('a connection timeout means an overloaded service if this process was busy all the time', async () => {
    await using server = await silentServer();
    const pool = openPool({ url: server.url, name: 'test', size: 2, log });
    const connecting = pool.connect().catch((failure: unknown) => failure);
    const until = performance.now() + 5500;
    // Other requests keep the event loop busy.
    while (performance.now() < until) {
      const pause = performance.now() + 300;
      while (performance.now() < pause) Math.random();
      await nextRound();
    }
    expect(await connecting).toBeInstanceOf(DatabaseBusy);
    await pool.end();
  }, 30_000);
});

describe('the limit on the silence of a connection', () => {
  test('a connection that is silent during a statement is closed, even if it was idle for long before', async () => {
    await using database = await createTestDatabase();
    const pool = openPool({ url: database.url, name: 'test', size: 1, silenceLimit: 300, log });
    const client = await pool.connect();
    const { stream } = (client as unknown as { connection: { stream: net.Socket } }).connection;
    client.release();
    await once(stream, 'timeout');
    await once(stream.setTimeout(300), 'timeout');
    expect((await pool.query('select pg_sleep(0.1)')).rowCount).toBe(1);
    const error: unknown = await pool.query('select pg_sleep(20)').catch((failure: unknown) => failure);
    expect(databaseFault(error)).toBe('unreachable');
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  }, 30_000);
});

test.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL'])(
  'a connection that this process cannot open (%s) counts as an unreachable server',
  (code) => {
    const refused = Object.assign(new Error(`connect ${code} 127.0.0.1:5432`), { code, syscall: 'connect' });
    expect(databaseFault(refused)).toBe('unreachable');
    const otherFile = Object.assign(new Error(`open ${code}`), { code, syscall: 'open' });
    expect(databaseFault(otherFile)).toBeUndefined();
  },
);

test.each([
  ['failure on connection marked as essential: 10.0.0.7:5432', 'unreachable'],
  ['could not commit transaction for shard 102179 on at least one active node', 'unreachable'],
  ['server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally', 'unreachable'],
  ['could not receive data from server: Connection reset by peer', 'unreachable'],
  ['cannot connect to 10.0.0.7:5432 to fetch intermediate results', 'unreachable'],
  ['cache lookup failed for type 17', 'data'],
])('an internal error of the server (%s) counts as %s', (message, fault) => {
  const error = Object.assign(new pg.DatabaseError(message, message.length, 'error'), {
    code: 'XX000',
    severity: 'ERROR',
  });
  expect(databaseFault(error)).toBe(fault);
});
