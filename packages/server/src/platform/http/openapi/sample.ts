import { failureKinds } from '@roster/contract';
import { dereference, type OpenApiDocument, type SchemaNode } from './document.ts';

/** The moment of every example, so that the description is the same on every machine. */
const sampleMoment = '2026-01-31T09:00:00.000Z';
/** The request id of every example. */
export const sampleRequestId = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

/** Values of fields that belong together, or that no shape can tell. */
const samplesByField: Readonly<Record<string, unknown>> = {
  api_key: 'rk_4fT9aQm2Xv7LdPz0WcYh8KsE3nRbUg6j',
  description: 'Contacts found',
  details: { name: 'Newsletter' },
  filtering_criteria: [
    { condition_operator: 'and', condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] },
  ],
  counts: { total: 1000, created: 998, updated: 2, unchanged: 0, deleted: 0, failed: 0, warnings: 1 },
  failures: [
    {
      index: 3,
      code: 'attribute_type_mismatch',
      field: 'attributes.AGE',
      message: failureKinds.attribute_type_mismatch.message,
      warning: true,
    },
  ],
  count: 1,
  percent: 42,
  started_at: sampleMoment,
  uploaded_at: sampleMoment,
  finished_at: sampleMoment,
  name: 'Website 2026',
  sent_at: sampleMoment,
};

const sampleRow = { contact_id: 1, EMAIL: 'asha@example.com', MOBILE: '919812345678', CITY: 'Pune' };

/** The keywords of a shape that a sample is made from. */
interface Keywords {
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly format?: string;
  readonly minimum?: number;
}

/**
 * Makes a value of a shape, from its examples where it has some and from its keywords where not. `field` is the name of the property
 * that holds it.
 */
export function sampleOf(document: OpenApiDocument, shape: SchemaNode, field = ''): unknown {
  const schema: Keywords = dereference(document, shape);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (field in samplesByField) return samplesByField[field];
  if (schema.enum !== undefined) return schema.enum.includes('done') ? 'done' : schema.enum[0];
  if ('default' in schema) return schema.default;
  if (schema.anyOf !== undefined) return schema.anyOf.some(isNull) ? null : sampleOf(document, schema.anyOf[0]!, field);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return schema.properties === undefined ? sampleRow : sampleObject(document, schema.properties);
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(document, schema.items)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return sampleText(schema.format);
  }
}

function isNull(shape: SchemaNode): boolean {
  return shape['type'] === 'null';
}

function sampleObject(document: OpenApiDocument, properties: Readonly<Record<string, SchemaNode>>): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, sampleOf(document, property, name)]),
  );
}

function sampleText(format: string | undefined): string {
  if (format === 'date-time') return sampleMoment;
  return format === 'uuid' ? sampleRequestId : 'a text without an example';
}
