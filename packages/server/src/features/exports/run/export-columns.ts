import type { Faults } from '@roster/contract';
import { derivedFields, type DerivedField } from '#features/registry/derived/derived-fields.ts';
import type { Registry } from '#features/registry/registry.ts';
import type { ExportColumn } from '#platform/database/schema/tables/exports.ts';
import {
  attributeField,
  derivedField,
  fieldTable,
  findOutputField,
  unknownField,
  fixedField,
  refusedField,
  type Field,
  type FieldName,
} from '#features/search/filter/fields.ts';
import { ExportFailure } from '../place/export-failure.ts';

/** Path of the column names in a request of v4. */
const placeOfV4 = 'audience_details.attributes_needed';

/**
 * Returns the columns that a request names. The default is the primary key, EMAIL and MOBILE.
 * Ignores repeated names, and undefined, which stands for a name that already has a fault.
 *
 * Adds a fault below `place` for each unknown name, long text, and field that is not a value of a
 * contact. `activity`: the caller may see activities, and so derived attributes.
 */
export function requestedColumns(
  names: readonly (string | undefined)[],
  registry: Registry,
  faults: Faults,
  options: { readonly place?: string; readonly activity: boolean },
): ExportColumn[] {
  const { place = placeOfV4, activity } = options;
  if (names.length === 0) return requestedColumns([registry.primaryKey, 'EMAIL', 'MOBILE'], registry, faults, options);
  const columns = new Map<string, ExportColumn>();
  for (const [index, name] of names.entries()) {
    if (name === undefined || columns.has(name.toLowerCase())) continue;
    const field = findOutputField(registry, name);
    const refusal =
      refusalOf(field, name, registry) ?? (field === undefined ? undefined : refusedField(field, registry, activity));
    if (refusal !== undefined) faults.add(refusal.code, refusal.message, `${place}[${index}]`);
    else columns.set(name.toLowerCase(), columnOf(name, field!));
  }
  return [...columns.values()];
}

function refusalOf(field: Field | undefined, name: string, registry: Registry) {
  switch (field?.type) {
    case undefined:
      return { code: 'unknown_field', message: unknownField(registry, name) } as const;
    case 'long_text':
      return {
        code: 'not_supported',
        message: `${name} is a long text. Long texts cannot be exported. Leave it out.`,
      } as const;
    case 'list':
    case 'segment':
      return {
        code: 'not_supported',
        message: `${name} is not a value of a contact and cannot be exported. Leave it out.`,
      } as const;
    default:
      return undefined;
  }
}

/** Attributes are stored by id, so that they can be renamed before the export runs. */
function columnOf(name: string, { attribute, name: field }: Field): ExportColumn {
  return attribute === undefined ? { name, field } : { name, attribute_id: attribute.id };
}

/**
 * Returns the current fields of stored columns. Throws an {@link ExportFailure} when an attribute
 * was deleted, or has become a long text.
 */
export function fieldsOfColumns(columns: readonly ExportColumn[], registry: Registry): Field[] {
  return columns.map(({ name, attribute_id: id, field }) => {
    const derived = derivedFields.get(field ?? '');
    if (derived !== undefined) return requireDerived(registry, derived);
    if (id === undefined) return fixedField(registry, requireFieldName(field));
    const attribute = registry.byId(id);
    if (attribute === undefined)
      throw new ExportFailure(
        `The attribute ${name} was deleted before the export ran. Request the export again without it.`,
      );
    const found = attributeField(registry, attribute);
    if (found.type !== 'long_text') return found;
    throw new ExportFailure(
      `The attribute ${name} became a long text before the export ran. Long texts cannot be exported. Request the export again without it.`,
    );
  });
}

function requireDerived(registry: Registry, definition: DerivedField): Field {
  if (registry.derived === 'ready') return derivedField(registry, definition);
  throw new ExportFailure(
    `The account has no ${definition.name}, because its settings changed before the export ran. Request the export again without it.`,
  );
}

function requireFieldName(name: string): FieldName {
  if (!(name in fieldTable)) throw new Error('an export has a column that this version does not know');
  return name as FieldName;
}
