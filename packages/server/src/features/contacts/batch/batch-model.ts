import type { BatchModel } from '#pipeline/operations/batch-model.ts';
import { primaryKeyOf } from './batch-account.ts';
import { tablesOf, usualTables } from '../model/batch-tables.ts';
import type { ContactItem } from './contact-request.ts';
import { lookupsOf, planItems } from './plan.ts';

/** The batch model of the service: items name contacts and are applied to them in memory. */
export const contactBatchModel: BatchModel = {
  async open(client, accountId, context, shard) {
    const primaryKey = await primaryKeyOf(client, accountId);
    const tables = shard === undefined ? usualTables() : await tablesOf(shard);
    return {
      footprint: (items: readonly ContactItem[]) => lookupsOf(items, primaryKey),
      plan: (connection, items: readonly ContactItem[]) => planItems(connection, accountId, items, context, { tables }),
    };
  },
};
