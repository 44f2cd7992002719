import * as contract from '../../packages/contract/src/index.ts';

/** The JSON Schema keywords of a contract schema that determine its type. */
interface Schema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly 'x-unpublished'?: boolean;
}

const header = `/* oxlint-disable max-lines */
// Generated from the contract by \`npm run generate\`. Edit packages/contract instead.
`;

/**
 * Returns the shapes of the contract as TypeScript, for the typed client. Bodies and answers have
 * their names of the OpenAPI document, queries their names of the contract.
 *
 * The client is published without the contract. Types that are inferred from schemas would need the
 * schemas and their library, and would lose the descriptions that editors show.
 */
export function clientShapes(): string {
  const shapes = Object.entries(contract).flatMap(([name, value]): [string, Schema][] => {
    const schema = value as unknown as Schema;
    if (typeof value !== 'object') return [];
    if (schema.$id !== undefined) return [[schema.$id, schema]];
    return name.endsWith('Query') ? [[name, schema]] : [];
  });
  const byName = shapes.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = (isQuery: boolean) => byName.map(([name]) => name).filter((name) => name.endsWith('Query') === isQuery);
  return [
    header,
    ...byName.map(([name, schema]) => declaration(name, schema)),
    registry('Shapes', 'The bodies and answers of operations, by their names.', names(false)),
    registry('Queries', 'The queries of operations, by their names.', names(true)),
  ].join('\n');
}

function registry(name: string, sentence: string, shapes: readonly string[]): string {
  return `/** ${sentence} */\nexport interface ${name} {\n${shapes.map((one) => `  ${one}: ${one};\n`).join('')}}\n`;
}

function declaration(name: string, schema: Schema): string {
  const text = schema.description ?? `\`${name}\` of the interface; /docs of a running service describes it.`;
  const shape = typeOf(schema, '');
  return shape.startsWith('{')
    ? `${comment(text, '')}export interface ${name} ${shape}\n`
    : `${comment(text, '')}export type ${name} = ${shape};\n`;
}

/** Returns the type of a schema. `indent` is the indentation of the line on which it begins. */
export function typeOf(schema: Schema, indent: string): string {
  const { $ref, anyOf, type } = schema;
  if ($ref !== undefined) return $ref.replace(/#$/, '');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => typeOf(one, indent)))].join(' | ');
  if (Array.isArray(type)) return [...new Set(type.map(scalar))].join(' | ');
  if (type === 'array') return arrayOf(typeOf(schema.items!, indent));
  if (type === 'object') return objectOf(schema, indent);
  return scalar(type as string | undefined);
}

function objectOf({ properties, required = [], patternProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const [value] = Object.values(patternProperties ?? {});
    return `{ readonly [name: string]: ${value === undefined ? 'unknown' : typeOf(value, indent)} }`;
  }
  const inner = `${indent}  `;
  const published = Object.entries(properties).filter(([, schema]) => schema['x-unpublished'] !== true);
  const lines = published.map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    // A caller may also pass undefined: JSON leaves such a key out.
    const more = required.includes(name) ? '' : ' | undefined';
    const text = schema.description === undefined ? '' : comment(schema.description, inner);
    return `${text}${inner}readonly ${name}${mark}: ${typeOf(schema, inner)}${more};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

const arrayOf = (item: string): string => (/^\w+$/.test(item) ? `readonly ${item}[]` : `ReadonlyArray<${item}>`);

function scalar(type: string | undefined): string {
  if (type === 'integer') return 'number';
  return type === undefined || type === 'object' ? 'unknown' : type;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);

function comment(text: string, indent: string): string {
  return `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}
