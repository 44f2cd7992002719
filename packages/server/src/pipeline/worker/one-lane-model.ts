import type { AccountModel } from '../operations/batch-model.ts';

/**
 * Items in one lane turned out to need all lanes of their account: they change what all items
 * depend on, or they depend on contacts of other lanes. Nothing of them was written.
 */
export class NeedsAllLanes extends Error {
  override readonly name = 'NeedsAllLanes';
  constructor() {
    super('the items of a batch need all lanes of their account');
  }
}

/** Makes a model for one lane of an account. It refuses to plan items that need all lanes. */
export function oneLaneModel(model: AccountModel): AccountModel {
  return {
    footprint: (items) => model.footprint(items),
    async plan(client, items) {
      const plan = await model.plan(client, items);
      if (plan.outdatesModel || plan.exceedsFootprint) throw new NeedsAllLanes();
      return plan;
    },
  };
}
