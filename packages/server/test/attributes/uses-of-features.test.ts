import { expect, test } from 'vitest';
import { applyDeleteAttributes } from '#features/attributes/changes/apply-delete.ts';
import { applyUpdateAttributes } from '#features/attributes/changes/apply-update.ts';
import type { UseOfAttributes } from '#features/attributes/usage/attribute-uses.ts';
import type { Context } from '#platform/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { attributeAccount } from './attribute-account.ts';

const service = await forFile(startTestService());
const account = await attributeAccount(service);
await account.create({ name: 'TIER', data_type: 'text' });

/** The context of a process with a single feature, which uses attributes. */
function contextWith(...uses: UseOfAttributes[]): Context {
  return { ...service.context, features: [{ name: 'made-up', attributeUses: async () => uses }] };
}

const actor = { actor: 'operator', unmasked: true } as const;

async function codesOf(change: 'delete' | 'rename', context: Context): Promise<string[]> {
  const trx = await context.db.startTransaction().execute();
  try {
    const results =
      change === 'delete'
        ? await applyDeleteAttributes(trx, account.accountId, { attributes: [{ name: 'TIER' }], ...actor }, context)
        : await applyUpdateAttributes(
            trx,
            account.accountId,
            { attributes: [{ name: 'TIER', new_name: 'LEVEL' }], ...actor },
            context,
          );
    return results.flatMap(({ failures }) => failures.map(({ code, message }) => `${code}: ${message}`));
  } finally {
    await trx.rollback().execute();
  }
}

test('an attribute that any feature uses cannot be deleted', async () => {
  const [tier] = await account.find('TIER');
  const use: UseOfAttributes = { feature: 'export', id: 7, name: 'made up', attributeIds: [tier!.id as number] };
  expect(await codesOf('delete', contextWith(use))).toEqual([
    'attribute_in_use: TIER is in use by export 7 (made up). Change or delete what uses it first.',
  ]);
  expect(await codesOf('rename', contextWith(use))).toEqual([]);
  expect(await codesOf('rename', contextWith({ ...use, byName: true }))).toEqual([
    'attribute_in_use: TIER is in use by the export 7 (made up). Rename it when the export has ended.',
  ]);
  expect(await codesOf('delete', contextWith())).toEqual([]);
});
