import { describe, expect, test } from 'vitest';
import { createOutput } from '#app/cli/terminal/output.ts';
import { table } from '#app/cli/terminal/table.ts';
import { pathFromCaller } from '#app/cli/terminal/shell.ts';
import { startProgress } from '#app/cli/terminal/progress.ts';
import { confirm, requireConfirmation } from '#app/cli/terminal/terminal.ts';
import { typedTerminal } from './typed-terminal.ts';

describe('a question on the terminal', () => {
  test.each([
    ['y\n', 'yes'],
    ['YES\n', 'yes'],
    ['\n', 'no'],
    ['no\n', 'no'],
    ['\u0003', 'interrupted'],
    ['\u0004', 'no'],
  ])('the input %j means %s', async (typed, answer) => {
    const one = typedTerminal(typed);
    expect(await confirm(one, 'Delete it?')).toBe(answer);
    expect(one.shown()).toContain('Delete it? [y/N]');
  });

  test('Ctrl-C at a question before a change ends the command with 130', async () => {
    await expect(requireConfirmation(typedTerminal('\u0003'), {}, 'Delete it?')).rejects.toMatchObject({
      exitCode: 130,
      message: 'Interrupted. Nothing was changed.',
    });
    await expect(requireConfirmation(typedTerminal('n\n'), {}, 'Delete it?')).rejects.toMatchObject({ exitCode: 1 });
  });

  test('a question is not asked without a terminal', async () => {
    const one = typedTerminal('y\n', { isTTY: false });
    expect(await confirm(one, 'Delete it?')).toBeUndefined();
    expect(one.shown()).toBe('');
  });
});

describe('a progress bar on the terminal', () => {
  test('a progress bar is shown only on a terminal', async () => {
    const [seen, unseen] = [typedTerminal(''), typedTerminal('', { isTTY: false })];
    for (const one of [seen, unseen]) {
      using progress = await startProgress(one, 'Sending', 'bytes');
      progress.update(5_000_000, 20_000_000);
    }
    expect(seen.shown()).toContain('Sending');
    expect(unseen.shown()).toBe('');
  });

  test.each([
    [1, '1 byte of 82 bytes'],
    [82, '82 bytes of 82 bytes'],
  ])('%s of 82 bytes are shown in words', async (done, shown) => {
    const one = typedTerminal('');
    {
      using progress = await startProgress(one, 'Sending', 'bytes');
      progress.update(done, 82);
      // The bar draws only from time to time, and at its end.
    }
    expect(one.shown()).toContain(shown);
  });

  test('a progress bar is not shown before there is progress', async () => {
    const one = typedTerminal('');
    {
      using _progress = await startProgress(one, 'Sending', 'rows');
    }
    expect(one.shown()).toBe('');
  });
});

test('a table has aligned columns, and control characters are replaced', async () => {
  const output = createOutput(typedTerminal(''), false);
  const text = await table(
    output,
    ['LIST', 'NAME'],
    [
      [1, 'é漢字'],
      [20, 'a\u001b[31m\nb'],
      [3, null],
    ],
  );
  expect(text.split('\n')).toEqual(['LIST  NAME', '1     é漢字', '20    a\uFFFD[31m\uFFFDb', '3']);
});

test('a relative path is resolved in the directory in which npm was called', () => {
  expect(pathFromCaller('a.csv', { npm_lifecycle_event: 'roster', INIT_CWD: '/home/asha' })).toBe('/home/asha/a.csv');
  expect(pathFromCaller('/tmp/a.csv', { npm_lifecycle_event: 'roster', INIT_CWD: '/home/asha' })).toBe('/tmp/a.csv');
  expect(pathFromCaller('a.csv', { INIT_CWD: '/home/asha' })).toBe(`${process.cwd()}/a.csv`);
});
