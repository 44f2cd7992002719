import { searchLimits } from '@roster/contract';
import { fieldTable } from './fields.ts';
import { fieldTypes } from './field-types.ts';
import { operationEntries, type Arity } from './operations.ts';

const arities: Record<Arity, string> = { none: 'none', one: 'one', two: 'two', some: 'one or more' };

/** The filter language as Markdown, derived from the tables that check and compile it. */
export function filterLanguage(): string {
  return `### Filters

A filter has groups of conditions: \`condition_operator\` combines the conditions of a group, \`filtering_criteria_operator\` the groups. Both are \`and\` or \`or\`. A condition names a \`field\`, an \`operation\` and its \`value\`s. Names are compared in any letter case; \`field_category\` may be left out where the name is unambiguous. Without \`filtering_criteria\` every contact matches.

A condition that cannot be understood is never dropped: it is a fault, and the request is refused with 400. So is an unknown key anywhere in the body, a field in two spellings with two values, and a key that is given twice. A key or word that is optional counts as absent when it is null or blank.

Values of masked attributes come out masked unless the API key has the scope \`unmasked\`; a \`partial\` mask shows the last four characters of values of more than eight, and nothing of others. A filter or a sorting by a masked attribute needs that scope too. Segments were made by operators and may use any attribute: a search in one needs no scope.

| Field | Category | Type | Meaning |
|---|---|---|---|
${fieldRows().join('\n')}
| *name of an attribute* | \`attribute\` | its data type | Value of the attribute. |

| Operation | Values | Types | Meaning |
|---|---|---|---|
${operationRows().join('\n')}

| Type | Compares with |
|---|---|
${typeRows().join('\n')}

Limits: ${searchLimits.groups} groups, ${searchLimits.conditionsPerGroup} conditions each, ${searchLimits.valuesPerCondition} values a condition, ${searchLimits.fields} output fields, ${searchLimits.sortKeys} sort keys, ${searchLimits.pageSize} rows a page.

### Answers

Rows are flat objects whose keys are the names of \`output.fields\` as they were spelled; a value that is not there is null. Without \`output.fields\` they are \`contact_id\`, the primary key, \`EMAIL\`, \`MOBILE\`, \`contact_type\` and \`created_at\`. For many pages send \`next_cursor\` of one answer as \`output.pagination.cursor\` of the next request: it neither skips nor repeats contacts, and deep pages stay fast.`;
}

function fieldRows(): string[] {
  return Object.entries(fieldTable).map(
    ([name, { category, type, doc }]) => `| \`${name}\` | \`${category}\` | \`${type}\` | ${doc} |`,
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
