import { toAddress, type AddressFilter } from '#components/filter/model/filter-address.ts';
import type { ContactFields } from '#components/filter/model/fields.ts';
import { fromSearchFilter } from '#components/filter/model/filter.ts';

/**
 * Returns the filter for people with a name, such as `Zoé` or `Zoé Martin`, for an address. The text
 * is a first name, a last name, or both. Returns undefined if the person cannot filter by names in this account.
 */
export function nameFilter({ byName }: Pick<ContactFields, 'byName'>, text: string): AddressFilter | undefined {
  const names = ['FIRST_NAME', 'LAST_NAME'].filter((name) => {
    const field = byName.get(name);
    return field?.type === 'text' && !field.isMasked;
  });
  const wanted = text.trim();
  if (wanted === '' || names.length === 0) return undefined;
  const condition = (field: string, value: string) => ({ field, operation: 'starts_with', value: [value] }) as const;
  const oneName = {
    condition_operator: 'or',
    condition_details: names.map((name) => condition(name, wanted)),
  } as const;
  const [first = '', ...others] = wanted.split(/\s+/);
  const fullName = {
    condition_operator: 'and',
    condition_details: [condition('FIRST_NAME', first), condition('LAST_NAME', others.join(' '))],
  } as const;
  const isFullName = others.length > 0 && names.length === 2;
  return toAddress(
    fromSearchFilter({
      filtering_criteria_operator: 'or',
      filtering_criteria: isFullName ? [oneName, fullName] : [oneName],
    }),
  );
}
