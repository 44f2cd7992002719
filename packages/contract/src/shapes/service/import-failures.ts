import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';

/** Query of listing the failed rows of an import. */
export const ListImportFailuresQuery = Type.Object(pageQueryProperties, { additionalProperties: false });

/** A row that was not applied, or a value that was left out. */
export const ImportFailureRow = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Line of the file on which the row begins.', examples: [7] }),
    column: Type.Union([Type.String(), Type.Null()], {
      description: 'Column of the fault. Null: the fault is about the whole row.',
      examples: ['EMAIL'],
    }),
    code: Type.String({ description: 'docs/errors.md lists all codes.', examples: ['invalid_format'] }),
    message: Type.String({ examples: ['The value must be an e-mail address'] }),
    values: Type.Unsafe<Record<string, string | null>>({
      type: 'object',
      patternProperties: { '^.*$': { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      description:
        'Cells of the row by their columns. Values of masked attributes are masked, unless the caller has the permission `unmasked`. Empty for a row about a forgotten person, and for a row whose cells do not match the columns.',
      examples: [{ EMAIL: 'asha', CITY: 'Pune' }],
    }),
    text: Type.Union([Type.String(), Type.Null()], {
      description: 'Beginning of a row whose cells do not match the columns. Otherwise null.',
      examples: [null],
    }),
  },
  { $id: 'ImportFailureRow', description: 'A row that was not applied, or a value that was left out.' },
);

export type ListImportFailuresQuery = Static<typeof ListImportFailuresQuery>;
export type ImportFailureRow = Static<typeof ImportFailureRow>;
