import { Type, type TProperties } from 'typebox';
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

/**
 * The descriptions in the OpenAPI document that differ between contact search and attribute search.
 */
export interface SearchTexts {
  /** The field of a condition. */
  readonly field: { readonly description: string; readonly example: string };
  readonly operation: string;
  /** The values of a condition. */
  readonly value: { readonly description: string; readonly example: string };
  /** What a search without a filter returns. */
  readonly unfiltered: string;
  /** The field of a sort key. */
  readonly sortField: { readonly description: string; readonly example: string };
  /** The default order, and the order of rows with equal values. */
  readonly sorting: string;
  /** A further limit of a page: a sentence that begins with a space, or an empty text. */
  readonly pageSize: string;
  /**
   * Undefined when the search has no cursors. The shape still reads a cursor, so that the search
   * can refuse it with a message of its own. The cursor is then missing in the OpenAPI document.
   */
  readonly cursor: string | undefined;
  /** One name of `output.fields`. */
  readonly outputField: { readonly description: string; readonly examples: readonly string[] };
}

const word = (description: string, examples: readonly string[], options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [...examples], ...options });

const operator = (description: string) => Type.Enum(['and', 'or'], { description });

const conditionOf = <Own extends TProperties>({ field, operation, value }: SearchTexts, own: Own) =>
  Type.Object(
    {
      field: word(field.description, [field.example]),
      operation: word(operation, ['equals']),
      value: Type.Optional(
        Type.Array(
          Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], format: 'condition-value' }),
          { maxItems: searchLimits.valuesPerCondition, description: value.description },
        ),
      ),
      ...own,
    },
    { ...closed, examples: [{ field: field.example, operation: 'equals', value: [value.example] }] },
  );

const groupOf = <Own extends TProperties>(texts: SearchTexts, own: Own) =>
  Type.Object(
    {
      condition_operator: Type.Optional(operator('Combines the conditions of the group. Default: `and`.')),
      condition_details: Type.Array(conditionOf(texts, own), {
        minItems: 1,
        maxItems: searchLimits.conditionsPerGroup,
      }),
    },
    closed,
  );

const outputOf = ({ sortField, sorting, pageSize, cursor, outputField }: SearchTexts) =>
  Type.Object(
    {
      get_count: Type.Optional(
        Type.Boolean({ description: 'True: the answer has the exact number of all matches in `count`.' }),
      ),
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
                description: `Rows on a page. Default: ${searchLimits.defaultPageSize}.${pageSize}`,
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

/**
 * Makes the fields of a search body: the filter and the form of the answer. `own` has the fields of
 * a condition that only this search has.
 */
export const searchEnvelope = <Own extends TProperties>(texts: SearchTexts, own: Own) => ({
  filtering_criteria_operator: Type.Optional(operator('Combines the groups. Required when there is more than one.')),
  filtering_criteria: Type.Optional(
    Type.Array(groupOf(texts, own), {
      maxItems: searchLimits.groups,
      description: `Groups of conditions. Absent or empty: ${texts.unfiltered}.`,
    }),
  ),
  output: Type.Optional(outputOf(texts)),
  get_count: Type.Optional(
    Type.Boolean({ description: 'The same as `output.get_count`. Older clients send it here.' }),
  ),
});
