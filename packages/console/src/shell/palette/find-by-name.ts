import type { OperatorAttribute } from '@roster/client';
import { nameFilter } from '#components/contacts/name-filter.ts';
import { contactFields } from '#components/filter/model/fields.ts';
import type { AddressFilter } from '#components/filter/model/filter-address.ts';

/** Returns the filter for people with a name. Null if the person cannot filter by names in this account. */
export function findByName(
  attributes: readonly OperatorAttribute[],
  canUnmask: boolean,
  name: string,
): AddressFilter | null {
  return nameFilter(contactFields(attributes, '', canUnmask), name) ?? null;
}
