import { exampleOf } from '../../openapi/example-of.ts';
import type { DescribedOperation, MediaType, OpenApiDocument, Parameter } from '../../openapi/document.ts';

/** Where an operation takes its credential. */
export type CredentialPlace = 'apiKey' | 'apiKeyParameter' | 'operatorToken' | 'none';

/** An operation of the document with its place. */
export interface PlacedOperation {
  readonly path: string;
  /** In capital letters. */
  readonly method: string;
  readonly operation: DescribedOperation;
}

/** Returns where an operation takes its credential. */
export function credentialPlaceOf({ operation }: PlacedOperation): CredentialPlace {
  const { security = [] } = operation as { security?: readonly Record<string, unknown>[] };
  return (Object.keys(security[0] ?? {})[0] as CredentialPlace | undefined) ?? 'none';
}

/** Returns the parameters of an operation, with the shared ones in full. */
export function parametersOf(document: OpenApiDocument, { operation }: PlacedOperation): Parameter[] {
  return (operation.parameters ?? []).map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    return document.components.parameters![parameter.$ref.slice('#/components/parameters/'.length)]!;
  });
}

/** An example of a body. */
export interface ExampleBody {
  readonly summary: string;
  readonly text: string;
}

/** Returns the media type of the body, and its examples as text; undefined if there is no body. */
export function bodyOf(
  document: OpenApiDocument,
  { operation }: PlacedOperation,
): { readonly type: string; readonly media: MediaType; readonly examples: readonly ExampleBody[] } | undefined {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return undefined;
  const examples = Object.values(media.examples ?? {}).map(({ summary = 'Example', value }) => ({
    summary: summary.replaceAll('`', ''),
    text: textOf(value),
  }));
  if (examples.length > 0) return { type, media, examples };
  const value = media.example ?? exampleOf(document, media.schema, operation.operationId);
  return { type, media, examples: [{ summary: 'Example', text: textOf(value) }] };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

const credentials: Readonly<Record<CredentialPlace, readonly string[]>> = {
  apiKey: [`-H "api-key: $KEY"`],
  apiKeyParameter: [],
  operatorToken: [`-H "authorization: Bearer $TOKEN"`],
  none: [],
};

/** Returns a call of the operation with curl. */
export function curlOf(document: OpenApiDocument, placed: PlacedOperation): string {
  const { path, method } = placed;
  const parameters = parametersOf(document, placed);
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example ?? name),
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, schema, example }) => {
      const value = example ?? exampleOf(document, schema, name);
      return `${name}=${encodeURIComponent(String(value))}`;
    });
  const key = credentialPlaceOf(placed) === 'apiKeyParameter' ? ['apikey=$KEY'] : [];
  const search = [...query, ...key].join('&');
  const body = bodyOf(document, placed);
  const parts = [
    `curl${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`} "$URL${address}${search === '' ? '' : `?${search}`}"`,
    ...credentials[credentialPlaceOf(placed)],
    ...parameters
      .filter((parameter) => parameter.in === 'header' && parameter.required === true)
      .map(({ name, example }) => `-H "${name}: ${String(example)}"`),
    ...(body === undefined
      ? []
      : [`-H "content-type: ${body.type}"`, `-d '${body.examples[0]!.text.replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return parts.join(' \\\n  ');
}
