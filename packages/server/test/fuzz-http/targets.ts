import { operationsOf, type OpenApiDocument, type Parameter, type Reference } from '#platform/http/openapi/document.ts';

/** How a request proves who sends it. */
type CredentialKind = 'operatorToken' | 'apiKey' | 'apiKeyParameter' | 'none';

/** One form of the body of an operation. */
export interface BodyForm {
  readonly mediaType: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly examples: readonly unknown[];
}

/** Something that requests are sent to. */
export interface Target {
  /** The operationId, or method and path of what the OpenAPI document leaves out. */
  readonly name: string;
  readonly method: string;
  /** Path with `{parameters}`. */
  readonly path: string;
  readonly credential: CredentialKind;
  readonly parameters: readonly Parameter[];
  readonly bodies: readonly BodyForm[];
  /** True for an operation of the OpenAPI document. */
  readonly isDescribed: boolean;
  /** How often it is chosen; 1 is usual. */
  readonly weight: number;
}

// Each of these costs much more than others, or leaves something behind that later requests have to carry. An operation that is not
// listed has the weight 1, so new operations take part without a change here.
const weights: Readonly<Record<string, number>> = {
  createAccount: 0.02,
  eraseContact: 0.1,
  exportContact: 0.2,
  exportAudience: 0.3,
  createImport: 0.2,
  sendImportFile: 0.4,
  cancelImport: 0.4,
  createApiKey: 0.2,
  rotateSigningSecret: 0.1,
  createContacts: 3,
  updateContacts: 3,
  deleteContacts: 2,
  searchContacts: 3,
  searchAudience: 2,
};

// Served, and not part of the OpenAPI document.
const undescribed: readonly (readonly [method: string, path: string, weight: number])[] = [
  ['GET', '/', 0.2],
  ['GET', '/healthz', 0.2],
  ['GET', '/readyz', 0.2],
  ['GET', '/metrics', 0.05],
  ['GET', '/openapi.json', 0.02],
  ['GET', '/docs', 0.1],
  ['GET', '/files/exports/{account_id}/{file}', 0.5],
  ['GET', '/verify/{token}', 0.5],
  ['POST', '/verify/{token}', 0.5],
];

/** Everything that the service serves: all operations of its OpenAPI document, and a few addresses beside them. */
export function targetsOf(document: OpenApiDocument): Target[] {
  const described = [...operationsOf(document)].flatMap(({ path, method, operation }): Target[] => {
    const security = (operation as { security?: readonly Record<string, unknown>[] }).security?.[0] ?? {};
    const target: Target = {
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      credential: (Object.keys(security)[0] ?? 'none') as CredentialKind,
      parameters: (operation.parameters ?? []).map((parameter) => parameterOf(document, parameter)),
      bodies: Object.entries(operation.requestBody?.content ?? {}).map(
        ([mediaType, { schema, example, examples }]) => ({
          mediaType,
          schema,
          examples: [
            ...(example === undefined ? [] : [example]),
            ...Object.values(examples ?? {}).map(({ value }) => value),
          ],
        }),
      ),
      isDescribed: true,
      weight: weights[operation.operationId] ?? 1,
    };
    // The contact operations are also served without their version segment.
    const isBare = path.startsWith('/v5/');
    return isBare ? [target, { ...target, path: path.slice('/v5'.length), weight: target.weight / 4 }] : [target];
  });
  const others = undescribed.map(([method, path, weight]): Target => ({
    name: `${method} ${path}`,
    method,
    path,
    credential: 'none',
    parameters: [],
    bodies: [],
    isDescribed: false,
    weight,
  }));
  return [...described, ...others];
}

function parameterOf(document: OpenApiDocument, parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const shared = document.components.parameters?.[parameter.$ref.slice('#/components/parameters/'.length)];
  if (shared === undefined) throw new Error(`${parameter.$ref} points to nothing`);
  return shared;
}
