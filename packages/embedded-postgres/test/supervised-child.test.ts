import path from 'node:path';
import { expect, test } from 'vitest';
import { ChildStartError, SupervisedChild } from '../src/index.ts';
import { lives, until } from './support.ts';

/**
 * Starts `programs/part.ts` under a supervisor in this process. `messages` collects the messages
 * that it sends.
 */
function startPart(part: string): { readonly child: SupervisedChild; readonly messages: unknown[] } {
  const messages: unknown[] = [];
  const child = new SupervisedChild({
    role: 'part',
    program: path.join(import.meta.dirname, 'programs/part.ts'),
    env: { ...process.env, PART: part },
    onMessage: (body) => messages.push(body),
  });
  return { child, messages };
}

test('a child reports its URL, exchanges messages, and stops properly', async () => {
  const { child, messages } = startPart('works');
  expect(await child.ready).toBe(`part:${child.pid}`);
  child.send({ number: 1 });
  await until(() => messages.length > 0);
  await child.stop(20_000);
  expect(child.pid).toBeUndefined();
  expect(messages).toEqual([{ got: { number: 1 } }, 'stopped']);
});

test('a killed child is restarted', async () => {
  const { child, messages } = startPart('works');
  await child.ready;
  const first = child.pid!;
  process.kill(first, 'SIGKILL');
  await until(() => child.pid !== undefined && child.pid !== first);
  await until(() => {
    child.send('again');
    return messages.length > 0;
  });
  await child.stop(20_000);
});

test('a child that does not stop in time is killed', async () => {
  const { child, messages } = startPart('hangs');
  await child.ready;
  const pid = child.pid!;
  await child.stop(200);
  expect(await lives(pid)).toBe(false);
  expect(messages).toEqual([]);
});

test('a failing first start rejects with the message of the child', async () => {
  const { child } = startPart('fails');
  await expect(child.ready).rejects.toThrow(new ChildStartError('The part cannot start: no paper left.'));
  expect(child.pid).toBeUndefined();
});

test('a child that dies repeatedly before it is ready is given up', async () => {
  const { child } = startPart('dies');
  await expect(child.ready).rejects.toThrow(
    'The part process ended 3 times before it was ready ({"code":3,"signal":null}).',
  );
});
