import type { CallbackDocs } from '@roster/contract/operations';
import { json, type OpenApiDocument } from './document.ts';
import { exampleOf } from './example-of.ts';

const signature = {
  name: 'X-Roster-Signature',
  in: 'header',
  required: true,
  description:
    'Proves that the callback is genuine: `t=<unix seconds>,v1=<HMAC-SHA256 in hex>`. docs/callbacks.md explains it.',
  schema: { type: 'string' },
};

const delivery = {
  name: 'X-Roster-Delivery',
  in: 'header',
  required: true,
  description: 'Identifier of the delivery. It is the same in every attempt.',
  schema: { type: 'string', format: 'uuid' },
};

/** Describes the `callbacks` of an operation that calls its caller back when its work has ended. */
export function describeCallback(
  document: OpenApiDocument,
  { address, description, body }: CallbackDocs,
): Record<string, Record<string, Record<string, object>>> {
  const { $id } = body as { readonly $id?: string };
  const schema = { $ref: `#/components/schemas/${$id}` };
  const post = {
    summary: 'The work has ended',
    description,
    // The signature proves the caller. No credential of the API is sent.
    security: [],
    parameters: [delivery, signature],
    requestBody: { required: true, content: { [json]: { schema, example: exampleOf(document, schema, $id!) } } },
    responses: {
      '2XX': {
        description:
          'The callback was received. After any other response, or none within 10 s, Roster tries again for 24 hours.',
      },
    },
  };
  return { ended: { [address]: { post } } };
}
