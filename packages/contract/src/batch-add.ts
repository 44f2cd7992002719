import { Type, type Static } from 'typebox';
import { contactsPerRequest } from './contacts.ts';

/** Most attributes of one contact of a batch (interface §8). */
export const attributesPerBatchContact = 20;

/** Most entries of `errors` in the callback of a batch (decisions §7). */
export const errorsPerBatchCallback = 1000;

const batchValue = Type.Unsafe<unknown>({ type: ['string', 'integer', 'number', 'boolean', 'null'] });

/**
 * Body of batch add (interface §4.5, decisions §7), for the description: the service reads it itself, because each of its faults has a
 * message and a place in the order of the error table.
 */
export const BatchAddBody = Type.Object(
  {
    listid: Type.Integer({
      description: 'The list that all contacts are added to. A JSON integer: `"12"` is refused.',
      examples: [1],
    }),
    notifyemail: Type.String({
      description: 'Gets a mail when the job has ended.',
      examples: ['asha@example.com'],
    }),
    callbackurl: Type.String({
      description:
        'Gets a POST when the job has ended, by `https` or `http`. `callback` is accepted, too. A private address is accepted but not called unless an operator has opened it; the log of deliveries shows the refusal.',
      examples: ['https://hooks.example.com/batches'],
    }),
    primarykey: Type.String({
      description: 'Name of the primary key of the account, in any letter case.',
      examples: ['email'],
    }),
    data: Type.Array(Type.Record(Type.String(), batchValue), {
      minItems: 1,
      maxItems: contactsPerRequest,
      description: `Contacts: the name of an attribute, \`EMAIL\`, \`MOBILE\` or the primary key, to its value. At most ${attributesPerBatchContact} attributes each. \`""\` and \`"null"\` clear a value.`,
      examples: [[{ EMAIL: 'asha@example.com', MOBILE: '919812345678', FIRST_NAME: 'Asha', CITY: 'Pune' }]],
    }),
  },
  { $id: 'BatchAddBody' },
);

/** Answer to an accepted batch (interface §4.5). */
export const BatchAddAnswer = Type.Object(
  {
    message: Type.String({
      format: 'uuid',
      description: 'Identifier of the job.',
      examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
    }),
    status: Type.Literal(200),
  },
  { $id: 'BatchAddAnswer', description: 'The batch is stored and will be applied, in the order of acceptance.' },
);

/** Error answer of batch add (interface §7): the first fault in the order of the error table. */
export const BatchAddErrorAnswer = Type.Object(
  {
    message: Type.String({ examples: ['listid should be of type integer'] }),
    status: Type.Integer({ description: 'The HTTP status.', examples: [400] }),
  },
  { $id: 'BatchAddErrorAnswer' },
);

/** What the callback of a finished batch says (decisions §7). */
export interface BatchAddReport {
  readonly job_id: string;
  readonly status: 'completed';
  readonly listid: number;
  /** total = created + updated + failed. */
  readonly total: number;
  readonly created: number;
  /** Contacts that existed, also those that were already as the batch wants them. */
  readonly updated: number;
  readonly failed: number;
  /** Why contacts failed, and what was left out of others; at most {@link errorsPerBatchCallback}, in the order of the contacts. */
  readonly errors: readonly BatchAddError[];
}

/** One entry of `errors` in the callback. */
export interface BatchAddError {
  /** Index of the contact in `data`. */
  readonly index: number;
  /** Reason code; docs/errors.md lists them. */
  readonly code: string;
  /** For people; begins with the name of the attribute where there is one. */
  readonly message: string;
}

export type BatchAddBody = Static<typeof BatchAddBody>;
