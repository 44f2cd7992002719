/** The type of a field of the filter language. It determines the operations and the inputs. */
export type FieldType =
  | 'id'
  | 'contact_type'
  | 'identity'
  | 'email'
  | 'mobile'
  | 'text'
  | 'long_text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'list'
  | 'segment'
  | 'activity';

/** How many values an operation takes. */
export type Arity = 'none' | 'one' | 'two' | 'some';

const equality: readonly FieldType[] = [
  'id',
  'contact_type',
  'identity',
  'email',
  'mobile',
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'list',
  'segment',
];
const texts: readonly FieldType[] = ['identity', 'email', 'mobile', 'text'];
const caseless: readonly FieldType[] = ['identity', 'text'];
const times: readonly FieldType[] = ['date', 'datetime'];
const ordered: readonly FieldType[] = ['id', 'number', 'date', 'datetime'];
const activities: readonly FieldType[] = ['activity'];
const nullable: readonly FieldType[] = [...equality.filter((type) => type !== 'segment'), 'long_text'];

/**
 * The operations of the filter language, in the order of the builder. A test compares this table
 * with the documentation of the service.
 */
export const operations = {
  equals: { arity: 'some', types: equality },
  not_equals: { arity: 'some', types: equality },
  equals_ignore_case: { arity: 'some', types: caseless },
  not_equals_ignore_case: { arity: 'some', types: caseless },
  contains: { arity: 'one', types: texts },
  not_contains: { arity: 'one', types: texts },
  starts_with: { arity: 'one', types: texts },
  ends_with: { arity: 'one', types: texts },
  greater_than: { arity: 'one', types: ordered },
  greater_than_or_equal: { arity: 'one', types: ordered },
  less_than: { arity: 'one', types: ordered },
  less_than_or_equal: { arity: 'one', types: ordered },
  between: { arity: 'two', types: ordered },
  in_last: { arity: 'one', types: times },
  not_in_last: { arity: 'one', types: times },
  in_next: { arity: 'one', types: times },
  anniversary: { arity: 'some', types: times },
  anniversary_in_next: { arity: 'one', types: times },
  at_least: { arity: 'one', types: activities },
  at_most: { arity: 'one', types: activities },
  exactly: { arity: 'one', types: activities },
  never: { arity: 'none', types: activities },
  is_null: { arity: 'none', types: nullable },
  is_not_null: { arity: 'none', types: nullable },
} as const satisfies Record<string, { readonly arity: Arity; readonly types: readonly FieldType[] }>;

/** Name of an operation. */
export type OperationName = keyof typeof operations;

/** Tells whether a text is the name of an operation. */
export function isOperation(name: unknown): name is OperationName {
  return typeof name === 'string' && Object.hasOwn(operations, name);
}

/** Returns the operations of a type of field, in the order of the builder. */
export function operationsOf(type: FieldType): OperationName[] {
  const names = Object.keys(operations) as OperationName[];
  return names.filter((name) => operations[name].types.includes(type));
}

/** Returns how many values an operation takes. */
export function arityOf(operation: OperationName): Arity {
  return operations[operation].arity;
}

/** Tells whether the value of an operation is a length of time, such as `30 days`. */
export function takesLength(operation: OperationName): boolean {
  return /^(not_in_last|in_last|in_next|anniversary_in_next)$/.test(operation);
}

/** Tells whether the value of an operation is a part of a text, not a complete value. */
export function takesPart(operation: OperationName): boolean {
  return (
    operation === 'contains' || operation === 'not_contains' || operation === 'starts_with' || operation === 'ends_with'
  );
}
