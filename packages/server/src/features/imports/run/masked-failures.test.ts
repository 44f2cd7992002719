import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { maskedFailures } from './failure-page.ts';

const row = { columns: [{ header: 'EMAIL', meaning: 'identity', name: 'EMAIL' }] } as never;
const attribute = { dataMasking: 'full' };
const registry = { primaryKey: 'EMAIL', find: () => attribute, byId: () => undefined };
const masks = { registry, formerMasks: new Map() } as never;

const header = 'line,column,code,message,EMAIL\r\n';
const failure = '2,EMAIL,invalid_format,is wrong,asha@example.com\r\n';

test('the values of masked attributes are masked', async () => {
  const masked = maskedFailures(Readable.from([Buffer.from(header + failure)]), row, masks);
  expect(await text(masked)).toBe(`${header}2,EMAIL,invalid_format,is wrong,****\r\n`);
});

test('an error of the file store ends the download, and not the process', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from(header);
    throw new Error('the store broke');
  }
  await expect(text(maskedFailures(Readable.from(broken()), row, masks))).rejects.toThrow('the store broke');
});

test('the file is closed when the client has gone', async () => {
  const content = new Readable({
    read() {
      setImmediate(() => this.push(failure.repeat(1000)));
    },
  });
  const masked = maskedFailures(content, row, masks);
  await once(masked, 'readable');
  masked.destroy();
  // Unlike `once`, this does not mind that the stream ends with an error.
  await new Promise((resolve) => content.once('close', resolve));
  expect(content.destroyed).toBe(true);
});
