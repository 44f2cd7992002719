import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { contactsPerRequest } from '../contacts/contacts.ts';

/** Maximum number of attributes of one contact in a batch. */
export const attributesPerBatchContact = 20;

/** Maximum number of entries of `errors` in the callback of a batch. */
export const errorsPerBatchCallback = 1000;

const batchValue = Type.Unsafe<unknown>({ type: ['string', 'integer', 'number', 'boolean', 'null'] });

/**
 * Body of batch add, for the OpenAPI document only. The service checks the body with code of its
 * own, because each fault has a fixed message, and the faults have a fixed order.
 */
export const BatchAddBody = Type.Object(
  {
    listid: Type.Integer({
      description: 'The list that all contacts are added to. A JSON integer: `"12"` is refused.',
      examples: [1],
    }),
    notifyemail: Type.String({
      description: 'E-mail address that gets a mail when the job has ended.',
      examples: ['asha@example.com'],
    }),
    callbackurl: Type.String({
      description:
        'URL that gets a POST when the job has ended, with `https` or `http`. The name `callback` is accepted, too. A private address is accepted, but called only if an operator has allowed it. **Get a delivery** shows the refusal.',
      examples: ['https://hooks.example.com/batches'],
    }),
    primarykey: Type.String({
      description: 'Name of the primary key of the account, in any letter case.',
      examples: ['email'],
    }),
    data: Type.Array(Type.Record(Type.String(), batchValue), {
      minItems: 1,
      maxItems: contactsPerRequest,
      description: `Contacts. Each is an object of names and values. A name is \`EMAIL\`, \`MOBILE\`, the primary key or an attribute. A contact can have up to ${attributesPerBatchContact} attributes. \`""\` and \`"null"\` clear a value.`,
      examples: [[{ EMAIL: 'asha@example.com', MOBILE: '919812345678', FIRST_NAME: 'Asha', CITY: 'Pune' }]],
    }),
  },
  { $id: 'BatchAddBody', description: 'Contacts to add to a list.', 'x-body': bodyLimits.batch },
);

/** Answer of batch add. */
export const BatchAddAnswer = Type.Object(
  {
    message: Type.String({
      format: 'uuid',
      description: 'Identifier of the job.',
      examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
    }),
    status: Type.Literal(200),
  },
  {
    $id: 'BatchAddAnswer',
    description: 'The batch is stored. The requests of an account are applied in the order of acceptance.',
  },
);

/** Error answer of v3. It names the first fault. */
export const BatchAddErrorAnswer = Type.Object(
  {
    message: Type.String({ examples: ['listid should be of type integer'] }),
    status: Type.Integer({ description: 'The HTTP status.', examples: [400] }),
  },
  { $id: 'BatchAddErrorAnswer', description: 'An error of v3.' },
);

/** One entry of `errors` in the callback of batch add. */
const BatchAddError = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Index of the contact in `data`.', examples: [2] }),
  code: Type.String({ description: 'Reason code. docs/errors.md lists all codes.', examples: ['identity_missing'] }),
  message: Type.String({
    description: 'The reason. It begins with the name of the attribute, if the reason concerns one.',
    examples: ['EMAIL: The contact has no value for the primary key.'],
  }),
});
export type BatchAddError = Static<typeof BatchAddError>;

/** Body of the callback that batch add sends when the job has ended. */
export const BatchAddReport = Type.Object(
  {
    job_id: Type.String({
      format: 'uuid',
      description: 'Identifier of the job: `message` of the answer.',
      examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
    }),
    status: Type.Literal('completed'),
    listid: Type.Integer({ description: 'The list.', examples: [1] }),
    total: Type.Integer({ description: 'Contacts in the batch: created + updated + failed.', examples: [3] }),
    created: Type.Integer({ description: 'New contacts.', examples: [1] }),
    updated: Type.Integer({ description: 'Existing contacts, including those that did not change.', examples: [1] }),
    failed: Type.Integer({ description: 'Contacts that failed.', examples: [1] }),
    errors: Type.Array(BatchAddError, {
      maxItems: errorsPerBatchCallback,
      description:
        'Reasons of failed contacts, and parts of other contacts that were left out, in the order of the contacts.',
    }),
  },
  { $id: 'BatchAddReport', description: 'The result of a batch add job.' },
);
export type BatchAddReport = Static<typeof BatchAddReport>;

export type BatchAddBody = Static<typeof BatchAddBody>;
