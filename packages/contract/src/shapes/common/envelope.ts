import { Type, type Static } from 'typebox';

const requestId = Type.String({
  format: 'uuid',
  description: 'Identifier of the request, a time-ordered UUID.',
  examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
});

/** Answer to an asynchronous operation of V5: the request is durable and will be applied in order of acceptance. */
export const AcceptedAnswer = Type.Object(
  {
    request_id: requestId,
    code: Type.Literal(200),
    status: Type.Literal('success'),
    description: Type.String({ examples: ['The request was accepted and is processed asynchronously'] }),
  },
  { $id: 'AcceptedAnswer', description: 'The request is stored and will be applied, in the order of acceptance.' },
);

export type AcceptedAnswer = Static<typeof AcceptedAnswer>;

/** One entry of `errors` in an error answer. */
export const ErrorEntry = Type.Object(
  {
    code: Type.String({ description: 'Stable code; docs/errors.md lists them.', examples: ['invalid_format'] }),
    field: Type.String({ description: 'Path of the place in the body.', examples: ['data.contacts[3].email'] }),
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
    errors: Type.Array(Type.Ref('ErrorEntry'), { description: 'Every fault of the request, at most 50.' }),
  },
  { $id: 'ErrorAnswer', description: 'An error of V5 and of the operator API.' },
);
