import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { splitStatements } from './split-statements.ts';

test('a script is split at the ends of its statements, and nowhere else', () => {
  const script = `
    -- A comment; with 'a quote.
    create table a (b text default ';', "c;""d" text); /* another; comment */
    do $body$ begin perform 1; perform '-- no comment'; end $body$;
    insert into a values ('it''s; -- here'), ($$one; two$$)`;
  expect(splitStatements(script)).toEqual([
    `create table a (b text default ';', "c;""d" text)`,
    `do $body$ begin perform 1; perform '-- no comment'; end $body$`,
    `insert into a values ('it''s; -- here'), ($$one; two$$)`,
  ]);
});

test('a script without statements has none', () => {
  expect(splitStatements('')).toEqual([]);
  expect(splitStatements('-- nothing\n;;\n')).toEqual([]);
});

test('each statement of the migrations begins with a keyword', async () => {
  const directory = new URL('../schema/migrations/', import.meta.url);
  for (const name of (await readdir(directory)).filter((file) => file.endsWith('.sql'))) {
    const statements = splitStatements(await readFile(new URL(name, directory), 'utf8'));
    expect(statements.length, name).toBeGreaterThan(0);
    for (const statement of statements) {
      expect(statement, name).toMatch(
        /^(alter|analyze|comment|create|delete|do|drop|insert|lock|select|set|update|with)\s/i,
      );
    }
  }
});
