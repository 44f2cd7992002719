import { searchLimits, type Faults, type PartlyRead, type SearchContactsBody } from '@roster/contract';
import { howToUnmask } from '#features/registry/masking.ts';
import type { SearchRights } from '../filter/check-filter.ts';
import type { CheckedOutput, OutputField, SortKey } from './checked-output.ts';
import { cursorSpec, readCursor } from './cursor.ts';
import { findOutputField, fixedField, isSortable, refusedField, unknownField } from '../filter/fields.ts';

type OutputBody = PartlyRead<Pick<SearchContactsBody, 'output' | 'get_count'>>;

/**
 * Checks `output` against the registry. Use the result only if no fault was added.
 * Parts that the reader could not read are skipped, because their faults have already been added.
 */
export function checkOutput(body: OutputBody, accountId: number, rights: SearchRights, faults: Faults): CheckedOutput {
  const output = body.output ?? {};
  const { page, cursor, limit = searchLimits.defaultPageSize } = output.pagination ?? {};
  const sorting = checkSorting(output.sorting ?? [], rights, faults);
  if (page !== undefined && cursor !== undefined) {
    faults.add(
      'not_allowed',
      'must not be given together with page. Leave one of them out',
      'output.pagination.cursor',
    );
  }
  // The cursor can only be compared with a sorting that has no faults.
  const hasSorting = !faults.list.some(({ field }) => field.startsWith('output.sorting'));
  const after = cursor === undefined || !hasSorting ? undefined : readCursor(cursor, accountId, sorting, faults);
  return {
    getCount: output.get_count ?? body.get_count ?? false,
    sorting,
    limit,
    offset: ((page ?? 1) - 1) * limit,
    ...(after === undefined ? {} : { after }),
    fields: checkFields(output.fields ?? [], rights, faults),
  };
}

type Given<Field extends 'sorting' | 'fields'> = NonNullable<NonNullable<OutputBody['output']>[Field]>;

function checkSorting(items: Given<'sorting'>, rights: SearchRights, faults: Faults): SortKey[] {
  const { registry } = rights;
  const given = items.length > 0 ? items : [{ field: 'created_at', direction: 'desc' as const }];
  const keys: SortKey[] = [];
  for (const [index, { field: name, direction } = {}] of given.entries()) {
    const place = `output.sorting[${index}].field`;
    if (name === undefined) continue;
    const field = findOutputField(registry, name);
    const refused = field === undefined ? undefined : refusedField(field, registry, rights.activities);
    if (field === undefined) faults.add('unknown_field', unknownField(registry, name), place);
    else if (!isSortable(field))
      faults.add('not_supported', `cannot be sorted by, because a field of the type ${field.type} has no order`, place);
    else if (field.masking !== 'none' && !rights.unmasked) {
      faults.add('missing_scope', `${name} is masked. To sort by it, ${howToUnmask}`, place);
    } else if (refused !== undefined) faults.add(refused.code, refused.message, place);
    else keys.push({ field, descending: direction === 'desc' });
  }
  return unique([...keys, { field: fixedField(registry, 'contact_id'), descending: false }]);
}

/** Removes keys that cannot change the order: repeated fields, and all keys after `contact_id`. */
function unique(keys: readonly SortKey[]): SortKey[] {
  const seen = new Set<string>();
  return keys.filter((key) => {
    const spec = cursorSpec(key.field);
    if (seen.has(spec) || seen.has('contact_id')) return false;
    seen.add(spec);
    return true;
  });
}

function checkFields(names: Given<'fields'>, rights: SearchRights, faults: Faults): OutputField[] {
  const { registry } = rights;
  const wanted =
    names.length > 0
      ? names
      : // A set, because the primary key may be EMAIL or MOBILE.
        [...new Set(['contact_id', registry.primaryKey, 'EMAIL', 'MOBILE', 'contact_type', 'created_at'])];
  return wanted.flatMap((name, index) => {
    if (name === undefined) return [];
    const field = findOutputField(registry, name);
    const refused = field === undefined ? undefined : refusedField(field, registry, rights.activities);
    if (field !== undefined && field.type !== 'segment' && refused === undefined) return { name, field };
    const place = `output.fields[${index}]`;
    if (refused !== undefined) faults.add(refused.code, refused.message, place);
    else if (field === undefined) faults.add('unknown_field', unknownField(registry, name), place);
    else faults.add('not_supported', 'cannot be in the output. Use segment_id in a filter only', place);
    return [];
  });
}
