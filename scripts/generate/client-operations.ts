import * as contract from '../../packages/contract/src/index.ts';
import { generations, operationTable, type Operation } from '../../packages/contract/src/operations/index.ts';

/** The parts of a contract schema that contain its name. */
interface Named {
  readonly $id?: string;
  readonly $ref?: string;
  readonly properties?: { readonly data?: { readonly items?: Named } };
}

const header = `// Generated from the contract by \`npm run generate\`. Edit packages/contract/src/operations instead.
import type { Operation } from './operations.ts';

/** Every operation of the interface, public and operator's, by its operationId. */
export const operations = {
`;

/**
 * The table of operations of the typed client: where each goes, the names of its shapes, and
 * whether it may be repeated.
 *
 * The client is published without the contract, so it cannot read the contract's own table.
 */
export function clientOperations(): string {
  const entries = Object.entries(operationTable).map(([id, operation]) => `  ${id}: ${entry(operation)},\n`);
  return `${header}${entries.join('')}} as const satisfies Record<string, Operation>;\n`;
}

function entry({ generation, method, path, repeat, query, body, answer }: Operation): string {
  const shape: Named | undefined = answer;
  const input: Named | undefined = body;
  const fields = {
    method,
    path,
    credential: generations[generation].credential,
    // The parameters of apiv2 can be in the query or in the body. The client sends them in the body.
    query: query === undefined || generation === 'apiv2' ? undefined : nameOf(query),
    body: input?.$id,
    answer: shape?.$id,
    page: shape?.$id === undefined ? shape?.properties?.data?.items?.$ref : undefined,
    repeat,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{ ${given.map(([name, value]) => `${name}: '${value}'`).join(', ')} }`;
}

/** Returns the name by which the contract exports the shape of a query. */
function nameOf(query: object): string {
  const name = Object.entries(contract).find(([, value]) => value === query)?.[0];
  if (name === undefined) throw new Error('the contract does not export the shape of a query');
  return name;
}
