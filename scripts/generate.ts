// Writes the generated pages of docs/, the shapes of the client and the hashes of new migrations.
// With --check it only verifies that they are up to date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeInterface } from '../packages/server/src/app/api/offline.ts';
import { freezeMigrations } from '../packages/server/src/platform/database/schema/frozen-migrations.ts';
import { clientOperations } from './generate/client-operations.ts';
import { clientShapes } from './generate/client-shapes.ts';
import { configPage } from './generate/config-page.ts';
import { errorsPage } from './generate/errors-page.ts';
import { schemaDump } from './generate/schema-dump.ts';

const root = path.dirname(import.meta.dirname);

const frozen = 'packages/server/src/platform/database/schema/migrations/frozen.txt';

const files: Readonly<Record<string, string>> = {
  'docs/openapi.json': `${JSON.stringify(await describeInterface(), undefined, 2)}\n`,
  'docs/errors.md': errorsPage(),
  'docs/config.md': configPage(),
  'docs/schema.sql': await schemaDump(),
  'packages/client/src/wire/operation-table.ts': clientOperations(),
  'packages/client/src/wire/shapes.ts': clientShapes(),
  [frozen]: freezeMigrations(await readFile(path.join(root, frozen), 'utf8').catch(() => '')),
};

const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const before = await readFile(path.join(root, name), 'utf8').catch(() => undefined);
  if (before !== text) stale.push(name);
}

if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`Out of date: ${stale.join(', ')}. Run \`npm run generate\` and commit what it writes.`);
    process.exitCode = 1;
  }
} else {
  await mkdir(path.join(root, 'docs'), { recursive: true });
  for (const name of stale) await writeFile(path.join(root, name), files[name]!);
  console.log(stale.length === 0 ? 'Everything is up to date.' : `Written: ${stale.join(', ')}`);
}
