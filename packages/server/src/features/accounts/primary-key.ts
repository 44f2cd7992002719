import { attributesPerAccount, isAttributeName, upperCaseName } from '@roster/contract';
import { loadAttributeRows, markIndexed } from '#features/registry/attribute-store.ts';
import { addAttributes } from '#features/registry/add-attributes.ts';
import type { AuditEntry } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { type ApiError, invalidField, conflict } from '#platform/errors/api-error.ts';

const contactFields = new Set(['EMAIL', 'MOBILE']);

/**
 * Makes sure that a name can be the primary key of an account. Returns the name in upper case.
 *
 * The name is `EMAIL`, `MOBILE` or a custom text attribute, which is created if it does not exist.
 * The caller has locked the account. Throws `invalid_request` for a name that cannot be a primary
 * key, and `conflict` when the account already has the maximum number of attributes.
 */
export async function ensurePrimaryKey(
  trx: Database,
  context: Pick<Context, 'now'>,
  accountId: number,
  requested: string,
  actor: AuditEntry['actor'],
): Promise<string> {
  const name = upperCaseName(requested);
  if (contactFields.has(name)) return name;
  if (!isAttributeName(name)) {
    throw refuse(
      `${name} is a field of contacts, not an attribute. Use EMAIL, MOBILE or the name of a text attribute.`,
    );
  }
  const attributes = await loadAttributeRows(trx, accountId);
  const attribute = attributes.find((row) => row.name === name);
  if (attribute === undefined) {
    if (attributes.length >= attributesPerAccount) {
      throw conflict(
        `The attribute ${name} does not exist and cannot be created, because the account already has ${attributesPerAccount} attributes.`,
      );
    }
    await addAttributes(trx, context, accountId, [{ name, dataType: 'text' }], actor);
    return name;
  }
  if (attribute.system) throw refuse(`${name} is a system attribute. Use EMAIL, MOBILE or a custom text attribute.`);
  if (attribute.data_type !== 'text')
    throw refuse(`${name} has the type ${attribute.data_type}. The primary key must have the type text.`);
  // With a mapping, callers could use the system name to write a value that is not the identity.
  if (attribute.mapping !== null) throw refuse(`${name} is mapped to ${attribute.mapping}. Remove the mapping first.`);
  // Identities are in another index, so this attribute needs no index of its own.
  if (attribute.indexed)
    await markIndexed(trx, { accountId, id: attribute.attribute_id, indexed: false, at: context.now() });
  return name;
}

function refuse(message: string): ApiError {
  return invalidField('not_allowed', 'primary_key', message);
}
