import { operationsOf, type OpenApiDocument, type Parameter, type Reference } from '#platform/http/openapi/document.ts';

/** How a request authenticates. */
type CredentialKind = 'operatorToken' | 'apiKey' | 'apiKeyParameter' | 'none';

/** One media type of the body of an operation. */
export interface BodyForm {
  readonly mediaType: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly examples: readonly unknown[];
}

/** An operation or path to which requests are sent. */
export interface Target {
  /** The operationId, or method and path if the OpenAPI document does not describe the path. */
  readonly name: string;
  readonly method: string;
  /** Path with `{parameters}`. */
  readonly path: string;
  readonly credential: CredentialKind;
  readonly parameters: readonly Parameter[];
  readonly bodies: readonly BodyForm[];
  /** True if the OpenAPI document describes the operation. */
  readonly isDescribed: boolean;
  /** How often the target is chosen, relative to the usual 1. */
  readonly weight: number;
}

// The operations with a low weight cost much more than others, or leave data that slows down later
// requests. An operation that is not listed has the weight 1, so new operations need no entry.
const weights: Readonly<Record<string, number>> = {
  createAccount: 0.02,
  eraseContact: 0.1,
  exportContact: 0.2,
  exportAudience: 0.3,
  createExport: 0.3,
  createExportSchedule: 0.2,
  runExportSchedule: 0.2,
  // Its answer has no end.
  streamRunning: 0,
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

// Paths that the service serves, and that the OpenAPI document does not describe.
const undescribed: readonly (readonly [method: string, path: string, weight: number])[] = [
  ['GET', '/', 0.2],
  ['GET', '/healthz', 0.2],
  ['GET', '/readyz', 0.2],
  ['GET', '/metrics', 0.05],
  ['GET', '/openapi.json', 0.02],
  ['GET', '/docs', 0.1],
  ['GET', '/docs/api/{file}', 0.1],
  ['GET', '/docs/assets/{file}', 0.1],
  ['GET', '/files/exports/{account_id}/{file}', 0.5],
  ['GET', '/verify/{token}', 0.5],
  ['POST', '/verify/{token}', 0.5],
];

/**
 * Returns all targets: the operations of the OpenAPI document, and some other paths of the service.
 */
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
