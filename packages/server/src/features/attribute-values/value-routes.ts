import { attributeValueLimits } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry, type Attribute, type Registry } from '#features/registry/registry.ts';
import { type ApiError, invalidField, notFound } from '#platform/errors/api-error.ts';
import { requirePermission } from '#platform/http/authentication/require-actor.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { frequentValues } from './frequent-values.ts';

/** The operation that returns the most frequent values of an attribute. */
export function attributeValueRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listAttributeValues', {
    async handle({ params: { account_id: accountId, attribute_id: id }, actor, query, disconnectSignal }) {
      await requireAccount(context.db, accountId);
      const registry = await loadRegistry(context.db, accountId);
      const attribute = registry.byId(id);
      if (attribute === undefined) {
        throw notFound(`attribute ${id} in account ${accountId}`);
      }
      refuse(attribute, registry);
      // A frequent value says what the contacts have, even if it is hidden in each of them.
      if (attribute.dataMasking !== 'none') requirePermission(actor, 'unmasked', accountId);
      const { limit = attributeValueLimits.default, contains } = query;
      return context.searches.run(accountId, disconnectSignal(), (db) =>
        frequentValues(db, accountId, attribute, { limit, contains }),
      );
    },
  });
}

/** Refuses attributes whose values cannot be suggested. */
function refuse({ name, dataType }: Attribute, { primaryKey }: Registry): void {
  if (name === primaryKey) throw refusal('is the primary key, so every contact has another value');
  if (dataType === 'long_text') throw refusal('has the data type long_text, whose values are too long for a list');
}

function refusal(message: string): ApiError {
  return invalidField('not_supported', 'attribute_id', message);
}
