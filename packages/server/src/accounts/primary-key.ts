import { writeAudit, type AuditEntry } from '../audit/audit-log.ts';
import { attributeName, attributesPerAccount, reservedAttributeNames } from '../attributes/system.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { ApiError, invalidField } from '../http/api-error.ts';
import { countAttributes, findAttribute, insertAttributes } from './account-attribute-store.ts';

const contactFields = new Set(['EMAIL', 'MOBILE']);

/**
 * Makes sure that a name can be the primary key of an account, and answers it in upper case (decisions §1).
 *
 * `EMAIL` and `MOBILE` always can; any other name must be that of a custom text attribute, which is created when it does not exist.
 * The account must be locked. Throws `invalid_request` for a name that cannot, `conflict` when the account has no room for an attribute.
 */
export async function establishPrimaryKey(
  trx: Database,
  context: Pick<Context, 'now'>,
  accountId: number,
  requested: string,
  actor: AuditEntry['actor'],
): Promise<string> {
  const name = requested.toUpperCase();
  if (contactFields.has(name)) return name;
  if (!attributeName.test(name) || reservedAttributeNames.has(name)) {
    throw refuse(`${name} is a field of contacts, not an attribute; use EMAIL, MOBILE or the name of a text attribute`);
  }
  const attribute = await findAttribute(trx, accountId, name);
  if (attribute === undefined) {
    await createKeyAttribute(trx, context, accountId, name, actor);
    return name;
  }
  if (attribute.system) throw refuse(`${name} is a system attribute; use EMAIL, MOBILE or a custom text attribute`);
  if (attribute.data_type !== 'text')
    throw refuse(`${name} is of type ${attribute.data_type}; it must be of type text`);
  return name;
}

async function createKeyAttribute(
  trx: Database,
  context: Pick<Context, 'now'>,
  accountId: number,
  name: string,
  actor: AuditEntry['actor'],
): Promise<void> {
  if ((await countAttributes(trx, accountId)) >= attributesPerAccount) {
    const reason = `The attribute ${name} does not exist, and the account has no room for another: ${attributesPerAccount} is the limit`;
    throw new ApiError('conflict', { params: { reason } });
  }
  const id = await insertAttributes(
    trx,
    accountId,
    [{ name, dataType: 'text', category: 'custom', system: false }],
    context.now(),
  );
  await writeAudit(trx, context, {
    accountId,
    actor,
    action: 'attribute.create',
    subject: `attribute:${id}`,
    details: { name, data_type: 'text' },
  });
}

function refuse(message: string): ApiError {
  return invalidField('not_allowed', 'primary_key', message);
}
