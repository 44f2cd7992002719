import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** The columns of `contacts` with an address or number of the person. */
export type AddressColumn = 'email' | 'mobile';

/**
 * What an address column holds when the address equals `contact_key`. Otherwise nearly every row of
 * an account that is keyed by EMAIL or MOBILE would have its address twice, and two indexes too.
 */
const sameAsKey = '';

/**
 * Returns the content of an address column. `ofKey`: the column whose addresses are the keys of the
 * account. In other accounts a key can look like an address by chance, and is stored twice.
 */
export function storedAddress(
  column: AddressColumn,
  address: string | null,
  key: string,
  ofKey: AddressColumn | undefined,
): string | null {
  return column === ofKey && address === key ? sameAsKey : address;
}

/** Returns the address that a column stands for. */
export function readAddress(stored: string | null, key: string): string | null {
  return stored === sameAsKey ? key : stored;
}

/** SQL for the address of a contact. */
export function addressSql(column: AddressColumn): RawBuilder<unknown> {
  const stored = sql.ref(`contacts.${column}`);
  return sql`case when ${stored} = '' then ${sql.ref('contacts.contact_key')} else ${stored} end`;
}

/**
 * SQL for a condition on the comparable form of an address. It uses two indexes: the primary key,
 * and the partial index on the column. Null for a contact without an address. `table`: the name of
 * `contacts` in the statement.
 */
export function addressMatches(
  column: AddressColumn,
  condition: (comparable: RawBuilder<unknown>) => RawBuilder<SqlBool>,
  table = 'contacts',
): RawBuilder<SqlBool> {
  const stored = sql.ref(`${table}.${column}`);
  const comparable = column === 'email' ? sql`lower(${stored})` : stored;
  const key = condition(sql.ref(`${table}.contact_key`));
  return sql`((${key} and ${stored} = '') or (${condition(comparable)} and ${stored} <> ''))`;
}
