import type { Faults } from '@roster/contract';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import type { Registry } from '#features/registry/registry.ts';
import {
  attributeField,
  derivedField,
  fieldTable,
  findOutputField,
  fixedField,
  refusedField,
  unknownField,
  type FieldName,
} from '#features/search/filter/fields.ts';
import type { OutputField } from '#features/search/page/checked-output.ts';
import type { ExportColumn } from '#platform/database/schema/tables/exports.ts';

/**
 * Checks the fields that the events of a subscription have. Ignores repeated names, and undefined,
 * which stands for a name that already has a fault. Adds a fault for each other name that cannot be
 * sent. `activity`: the caller may see activities, and so derived attributes.
 */
export function checkFields(
  names: readonly (string | undefined)[],
  registry: Registry,
  activity: boolean,
  faults: Faults,
): ExportColumn[] {
  const columns = new Map<string, ExportColumn>();
  for (const [index, name] of names.entries()) {
    if (name === undefined || columns.has(name.toLowerCase())) continue;
    const field = findOutputField(registry, name);
    const place = `fields[${index}]`;
    if (field === undefined) faults.add('unknown_field', unknownField(registry, name), place);
    else if (field.type === 'segment' || field.type === 'long_text') {
      const what = field.type === 'segment' ? 'Segments' : 'Long texts';
      faults.add('not_supported', `${name} cannot be in events. ${what} cannot be sent. Leave it out.`, place);
    } else {
      const refusal = refusedField(field, registry, activity);
      if (refusal !== undefined) faults.add(refusal.code, refusal.message, place);
      const { attribute } = field;
      // Attributes are stored by id, so that they can be renamed.
      columns.set(
        name.toLowerCase(),
        attribute === undefined ? { name, field: field.name } : { name, attribute_id: attribute.id },
      );
    }
  }
  return [...columns.values()];
}

/**
 * Returns the present fields of stored columns, with the present names of attributes. Returns a
 * sentence if a column cannot be read anymore. The registry of a sending has the moment `now`.
 */
export function fieldsOfColumns(columns: readonly ExportColumn[], registry: Registry): OutputField[] | string {
  const fields: OutputField[] = [];
  for (const { name, attribute_id: id, field } of columns) {
    const derived = derivedFields.get(field ?? '');
    if (derived !== undefined) {
      const found = derivedField(registry, derived);
      const refusal = refusedField(found, registry, true);
      if (refusal !== undefined) return `${derived.name} ${refusal.message}.`;
      fields.push({ name, field: found });
      continue;
    }
    if (id === undefined) {
      if (!(field in fieldTable)) return `This version of Roster does not know the field ${name}.`;
      fields.push({ name, field: fixedField(registry, field as FieldName) });
      continue;
    }
    const attribute = registry.byId(id);
    if (attribute === undefined) return `The attribute ${name} was deleted.`;
    fields.push({ name: attribute.name, field: attributeField(registry, attribute) });
  }
  return fields;
}

/** Returns the names of stored columns, with the present names of attributes. */
export function namesOfColumns(columns: readonly ExportColumn[], registry: Registry): string[] {
  return columns.map(({ name, attribute_id: id }) => (id === undefined ? name : (registry.byId(id)?.name ?? name)));
}
