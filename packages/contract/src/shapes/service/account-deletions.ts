import { Type, type Static } from 'typebox';

/** Query of deleting an account. */
export const DeleteAccountQuery = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      'x-keep-space': true,
      description: 'The exact name of the account, as a confirmation.',
      examples: ['Acme India'],
    }),
  },
  { additionalProperties: false },
);

/** The deletion of an account, running or completed. */
export const AccountDeletion = Type.Object(
  {
    account_id: Type.Integer({ examples: [4] }),
    name: Type.String({ description: 'The name that the account had.', examples: ['Acme India'] }),
    author: Type.String({ description: 'Who deleted it, as in the audit log.', examples: ['operator'] }),
    status: Type.Enum(['running', 'completed'], { description: '`completed`: all data is deleted.' }),
    step: Type.Union([Type.String(), Type.Null()], {
      description: 'The table that is being emptied now. Null at the beginning and at the end.',
      examples: ['contacts'],
    }),
    deleted_rows: Type.Integer({ description: 'Number of table rows deleted so far.', examples: [120_000] }),
    requested_at: Type.String({ format: 'date-time' }),
    finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When all data was deleted.',
    }),
  },
  { $id: 'AccountDeletion', description: 'The deletion of an account, and its progress.' },
);

export type DeleteAccountQuery = Static<typeof DeleteAccountQuery>;
export type AccountDeletion = Static<typeof AccountDeletion>;
