import type { Refusal } from '#features/registry/refusal.ts';
import type { AccountRow } from '#features/accounts/store/account-store.ts';
import type { AttributeRow } from '#features/registry/attribute-store.ts';

/** The fields of an attribute that decide whether it can be mapped. */
export type MappedAttribute = Pick<AttributeRow, 'name' | 'data_type' | 'system' | 'mapping'> & {
  /** Absent for a new attribute. */
  readonly attribute_id?: number;
};

/**
 * Returns why an attribute cannot have its mapping, or undefined if it can or has none. The rules:
 * - Only a custom attribute can be mapped to a system attribute.
 * - It must not be the primary key, because identities are not stored as attributes.
 * - Both must have the same type.
 * - Only one attribute can be mapped to each system attribute.
 *
 * `rows` has all attributes after the change.
 */
export function mappingRefusal(
  account: Pick<AccountRow, 'primary_key'>,
  rows: readonly MappedAttribute[],
  attribute: MappedAttribute,
): Refusal | undefined {
  const { mapping, name } = attribute;
  if (mapping === null) return undefined;
  const refuse = (message: string): Refusal => ({ code: 'attribute_mapping', field: 'mapping', message });
  if (attribute.system) {
    return refuse(`${name} is a system attribute. Only custom attributes can be mapped to a system attribute.`);
  }
  if (name === account.primary_key) return refuse(`${name} is the primary key of the account and cannot be mapped.`);
  const target = rows.find((row) => row.system && row.name === mapping);
  if (target === undefined) return refuse(`${mapping} is not a system attribute of the account.`);
  if (target.data_type !== attribute.data_type) {
    return refuse(
      `${mapping} has the type ${target.data_type} and ${name} the type ${attribute.data_type}. The types must be the same.`,
    );
  }
  const other = rows.find((row) => row.mapping === mapping && row.name !== name);
  return other === undefined
    ? undefined
    : refuse(`${other.name} is already mapped to ${mapping}. Only one attribute can be mapped to it.`);
}
