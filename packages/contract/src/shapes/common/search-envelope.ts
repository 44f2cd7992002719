import { Type } from 'typebox';
import { closed } from './closed.ts';

/** Limits of a search. */
export const searchLimits = {
  groups: 20,
  conditionsPerGroup: 50,
  valuesPerCondition: 1000,
  fields: 100,
  sortKeys: 3,
  pageSize: 1000,
  defaultPageSize: 10,
} as const;

/** What the published description says of the parts of a search that differ by what is searched. */
export interface SearchTexts {
  /** The field of a condition. */
  readonly field: { readonly description: string; readonly example: string };
  readonly fieldCategory: string;
  readonly operation: string;
  /** The values of a condition. */
  readonly value: string;
  /** What matches without a filter. */
  readonly unfiltered: string;
  /** The field of a sort key. */
  readonly sortField: { readonly description: string; readonly example: string };
  /** The order without one, and that of ties. */
  readonly sorting: string;
  /** What limits a page besides the number of its rows: a sentence that begins with a space; or nothing. */
  readonly pageSize: string;
  /** Undefined: there are no cursors. One is still read, so that the search can refuse it in words of its own, but it is not published. */
  readonly cursor: string | undefined;
  /** One name of `output.fields`. */
  readonly outputField: { readonly description: string; readonly examples: readonly string[] };
}

const word = (description: string, examples: readonly string[], options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [...examples], ...options });

const operator = (description: string) => Type.Enum(['and', 'or'], { description });

const conditionOf = ({ field, fieldCategory, operation, value }: SearchTexts) =>
  Type.Object(
    {
      field: word(field.description, [field.example]),
      field_category: Type.Optional(Type.Enum(['config', 'audience', 'attribute'], { description: fieldCategory })),
      operation: word(operation, ['equals']),
      value: Type.Optional(
        Type.Array(
          Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], format: 'condition-value' }),
          { maxItems: searchLimits.valuesPerCondition, description: value },
        ),
      ),
    },
    closed,
  );

const groupOf = (texts: SearchTexts) =>
  Type.Object(
    {
      condition_operator: Type.Optional(operator('Combines the conditions of the group; default `and`.')),
      condition_details: Type.Array(conditionOf(texts), { minItems: 1, maxItems: searchLimits.conditionsPerGroup }),
    },
    closed,
  );

const outputOf = ({ sortField, sorting, pageSize, cursor, outputField }: SearchTexts) =>
  Type.Object(
    {
      get_count: Type.Optional(Type.Boolean({ description: 'Answer with the exact number of matches in `count`.' })),
      sorting: Type.Optional(
        Type.Array(
          Type.Object(
            {
              field: word(sortField.description, [sortField.example]),
              direction: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: asc.' })),
            },
            closed,
          ),
          { maxItems: searchLimits.sortKeys, description: sorting },
        ),
      ),
      pagination: Type.Optional(
        Type.Object(
          {
            page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Default: 1.' })),
            limit: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: searchLimits.pageSize,
                description: `Rows a page; default ${searchLimits.defaultPageSize}.${pageSize}`,
              }),
            ),
            cursor: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 32_768,
                'x-blank-is-absent': true,
                ...(cursor === undefined ? { 'x-unpublished': true } : { description: cursor }),
              }),
            ),
          },
          closed,
        ),
      ),
      fields: Type.Optional(
        Type.Array(word(outputField.description, outputField.examples, { 'x-keep-space': true }), {
          maxItems: searchLimits.fields,
          'x-blank-is-absent': true,
        }),
      ),
    },
    closed,
  );

/** What every search body has: the filter and the shape of the answer, in the words of what is searched. */
export const searchEnvelope = (texts: SearchTexts) => ({
  filtering_criteria_operator: Type.Optional(operator('Combines the groups; required when there is more than one.')),
  filtering_criteria: Type.Optional(
    Type.Array(groupOf(texts), {
      maxItems: searchLimits.groups,
      description: `Groups of conditions; absent or empty = ${texts.unfiltered}.`,
    }),
  ),
  output: Type.Optional(outputOf(texts)),
  get_count: Type.Optional(Type.Boolean({ description: 'Accepted here too [older clients].' })),
});
