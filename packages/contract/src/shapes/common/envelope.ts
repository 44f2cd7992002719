import { Type, type Static } from 'typebox';

/** The time in every example. It is fixed, so that the documentation is the same on every machine. */
export const exampleMoment = '2026-01-31T09:00:00.000Z';

/** The `request_id` in every example. */
export const exampleRequestId = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

const requestId = Type.String({
  format: 'uuid',
  description: 'Identifier of the request, a time-ordered UUID.',
  examples: [exampleRequestId],
});

/** Makes the fields that every successful answer of V5 has. */
export const successFields = (description: string) => ({
  request_id: requestId,
  code: Type.Literal(200),
  status: Type.Literal('success'),
  description: Type.String({ examples: [description] }),
});

/** The longest wait in seconds that a caller can ask for with `Prefer: wait=N`. */
export const longestWait = 30;

/** Answer of an asynchronous operation of V5. */
export const AcceptedAnswer = Type.Object(
  {
    ...successFields('The request was accepted and is processed asynchronously'),
    outcome: Type.Optional(Type.Ref('WaitedOutcome')),
  },
  {
    $id: 'AcceptedAnswer',
    description: 'The request is stored. The requests of an account are applied in the order of acceptance.',
  },
);

export type AcceptedAnswer = Static<typeof AcceptedAnswer>;

/** One entry of `errors` in an error answer. */
export const ErrorEntry = Type.Object(
  {
    code: Type.String({ description: 'Stable code. docs/errors.md lists all codes.', examples: ['invalid_format'] }),
    field: Type.String({ description: 'Path of the place in the request.', examples: ['data.contacts[3].email'] }),
    message: Type.String({
      examples: ['must be an e-mail address of at most 254 characters, such as asha@example.com'],
    }),
  },
  { $id: 'ErrorEntry', description: 'One fault of a request.' },
);

/** Error answer of V5 and the operator API. */
export const ErrorAnswer = Type.Object(
  {
    request_id: requestId,
    code: Type.Integer({ description: 'The HTTP status.', examples: [400] }),
    status: Type.Literal('error'),
    description: Type.String({
      examples: [
        'data.contacts[3].email must be an e-mail address of at most 254 characters, such as asha@example.com',
      ],
    }),
    errors: Type.Array(Type.Ref('ErrorEntry'), { description: 'Every fault of the request, up to 50.' }),
    current: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'Only with 412: the present state, in the form in which the operation returns it.',
      }),
    ),
  },
  { $id: 'ErrorAnswer', description: 'An error of V5 and of the operator API.' },
);
