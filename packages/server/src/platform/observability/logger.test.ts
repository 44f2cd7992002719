import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Returns the output of a process that logs one line with an error. */
function printed(logFormat: string): string {
  const program = `
    const { createLogger } = await import(${JSON.stringify(path.join(import.meta.dirname, 'logger.ts'))});
    const log = createLogger({ logLevel: 'info', logFormat: '${logFormat}' }, 'roster api');
    log.debug('too much');
    log.warn({ err: new Error('no room'), role: 'api' }, 'something failed');`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }).stdout;
}

test.each(['auto', 'json'])('LOG_FORMAT=%s writes JSON if standard output is not a terminal', (format) => {
  const line = JSON.parse(printed(format));
  expect(line).toMatchObject({
    level: 40,
    name: 'roster api',
    role: 'api',
    msg: 'something failed',
    err: { type: 'Error', message: 'no room' },
  });
});

test('LOG_FORMAT=text writes one readable line', () => {
  expect(printed('text')).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN \(roster api\): something failed \{.*"message":"no room".*\}\n$/,
  );
});
