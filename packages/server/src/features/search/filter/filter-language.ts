import { searchLimits } from '@roster/contract';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import { fieldTable } from './fields.ts';
import { fieldTypes } from './field-types.ts';
import { operationEntries, type Arity } from './operations.ts';
import { totalActivityConditions } from './resolve.ts';

const arities: Record<Arity, string> = { none: 'none', one: 'one', two: 'two', some: 'one or more' };

/** Describes the filter language in Markdown, from the tables that check and compile filters. */
export function filterLanguage(): string {
  return `### Filters

A filter has groups, and a group has conditions. \`condition_operator\` combines the conditions of a group. \`filtering_criteria_operator\` combines the groups. Both are \`and\` or \`or\`. A condition has a \`field\`, an \`operation\` and its \`value\`s. Names can be in any letter case. \`field_category\` is optional if the name is unambiguous. Without \`filtering_criteria\`, every contact matches.

The service never ignores a condition that it does not understand. It refuses the request with 400. It does the same with:

- an unknown key anywhere in the body
- a key that is given twice
- a field that is given in two spellings with different values

An optional key that is null or blank counts as absent.

Values of masked attributes are masked in the response, unless the API key has the scope \`unmasked\`. A \`partial\` mask shows the last four characters of a value with more than eight characters, and nothing of a shorter value. To filter or sort by a masked attribute, the API key needs the scope, too. To search in a segment, it does not need the scope, because operators define segments.

The fields of the category \`derived\` are computed from activities, in accounts with the setting \`derived_attributes\`. The API key needs the scope \`activity:read\` to use them, except in segments.

| Field | Category | Type | Meaning |
|---|---|---|---|
${fieldRows().join('\n')}
| *name of an attribute* | \`attribute\` | its data type | Value of the attribute. |
${derivedRows().join('\n')}

| Operation | Values | Types | Meaning |
|---|---|---|---|
${operationRows().join('\n')}

| Type | Compares with |
|---|---|
${typeRows().join('\n')}

A condition on the field \`activity\` (category \`activity\`) counts the activities of each contact. \`activity\`, \`channel\`, \`message_id\` or \`message_name\`, and \`when\` say which ones count. Without them, all count. It needs the scope \`activity:read\`. A contact without such activities matches \`never\`, \`at_most\`, and \`exactly\` with 0.

Limits: ${totalActivityConditions} conditions on activities, ${searchLimits.groups} groups, ${searchLimits.conditionsPerGroup} conditions per group, ${searchLimits.valuesPerCondition} values per condition, ${searchLimits.fields} output fields, ${searchLimits.sortKeys} sort keys, ${searchLimits.pageSize} rows per page.

### Responses

Each row is a flat object. Its keys are the names in \`output.fields\`, spelled as in the request. A missing value is null. Without \`output.fields\`, the keys are \`contact_id\`, the primary key, \`EMAIL\`, \`MOBILE\`, \`contact_type\` and \`created_at\`. To read many pages, send \`next_cursor\` of a response as \`output.pagination.cursor\` of the next request. No contact is then skipped or repeated, and deep pages stay fast.`;
}

function fieldRows(): string[] {
  return Object.entries(fieldTable).map(
    ([name, { category, type, doc }]) => `| \`${name}\` | \`${category}\` | \`${type}\` | ${doc} |`,
  );
}

function derivedRows(): string[] {
  return [...derivedFields.values()].map(
    ({ name, type, doc }) => `| \`${name}\` | \`derived\` | \`${type}\` | ${doc} |`,
  );
}

function operationRows(): string[] {
  return [...operationEntries].map(([name, { arity, types, doc }]) => {
    const fitting = types.map((type) => `\`${type}\``).join(', ');
    return `| \`${name}\` | ${arities[arity]} | ${fitting} | ${doc} |`;
  });
}

function typeRows(): string[] {
  return Object.entries(fieldTypes).map(([name, { doc }]) => `| \`${name}\` | ${doc} |`);
}
