import { operations, type OperationId } from '@roster/client';

/** A request of a page, to show as code. */
export interface ApiCall {
  readonly operation: OperationId;
  /** For operations of API keys, which people send below the path of an account. */
  readonly accountId?: number;
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** Fields whose values must not appear in code that people paste into chats and tickets. */
const secretFields = /^(password|token|code|secret|api_?key|apikey)$/i;

/** Returns the request as a curl command. The token is a variable of the shell. */
export function curlOf({ operation, accountId, path = {}, query = {}, body }: ApiCall): string {
  const { method, path: own } = operations[operation];
  const pattern = accountId === undefined ? own : own.replace(/^\/v5/, `/admin/v1/accounts/${accountId}`);
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? `<${name}>`));
  const parameters = definedEntries(query);
  const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${location.origin}${filled}${search}`)}`];
  lines.push(`  -H "Authorization: Bearer $ROSTER_TOKEN"`);
  if (body !== undefined) {
    lines.push(`  -H 'content-type: application/json'`, `  -d ${quote(JSON.stringify(body, hideSecrets, 2))}`);
  }
  return lines.join(' \\\n');
}

/** Returns the request as TypeScript with `@roster/client`. */
export function typescriptOf({ operation, accountId, path, query, body }: ApiCall): string {
  const parts = Object.entries({
    accountId,
    path,
    query: query === undefined ? undefined : Object.fromEntries(definedEntries(query)),
    body,
  }).filter(
    ([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value as object).length > 0),
  );
  const input = parts.length === 0 ? '' : `, ${JSON.stringify(Object.fromEntries(parts), hideSecrets, 2)}`;
  return [
    `import { createOperatorClient } from '@roster/client';`,
    '',
    `const client = createOperatorClient({ url: '${location.origin}', token: process.env.ROSTER_TOKEN });`,
    `const answer = await client.call('${operation}'${input.replaceAll(/"(\w+)":/g, '$1:')});`,
  ].join('\n');
}

function definedEntries(query: NonNullable<ApiCall['query']>): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

function hideSecrets(name: string, value: unknown): unknown {
  return secretFields.test(name) && typeof value === 'string' ? `<${name}>` : value;
}

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
