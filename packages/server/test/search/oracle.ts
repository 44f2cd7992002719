import type { StoredContact } from './account.ts';

/**
 * Evaluates searches in memory. It was written from the documentation of the filter language, and
 * shares no code with the search that it checks.
 */

/** A canonical value. Dates and date-times are texts. */
export type Plain = string | number | boolean;

/** A condition with canonical values. */
export interface ModelCondition {
  readonly field: string;
  readonly operation: string;
  readonly values: readonly Plain[];
}

/** A filter with canonical values. */
export interface ModelFilter {
  readonly operator: 'and' | 'or';
  readonly groups: readonly { readonly operator: 'and' | 'or'; readonly conditions: readonly ModelCondition[] }[];
}

/** The properties of an account that filters depend on. */
export interface World {
  /** Name of the primary key, whose value is the identity. */
  readonly primaryKey: string;
  /** The time zone of the account. */
  readonly timeZone: string;
  readonly segments: ReadonlyMap<number, ModelFilter>;
}

/** A sort key. */
export interface ModelSort {
  readonly field: string;
  readonly descending: boolean;
}

/** Returns true if a contact matches a filter. A filter without groups matches every contact. */
export function matches(contact: StoredContact, filter: ModelFilter, world: World): boolean {
  if (filter.groups.length === 0) return true;
  return combine(filter.operator, filter.groups, (group) =>
    combine(group.operator, group.conditions, (condition) => meets(contact, condition, world)),
  );
}

function combine<T>(operator: 'and' | 'or', items: readonly T[], test: (item: T) => boolean): boolean {
  return operator === 'and' ? items.every(test) : items.some(test);
}

/**
 * Returns the value of a field, or null if the contact has no value. Lists are arrays of numbers.
 */
export function valueOf(contact: StoredContact, field: string, world: World): Plain | readonly number[] | null {
  if (field === world.primaryKey && field !== 'EMAIL' && field !== 'MOBILE') return contact.identity;
  switch (field) {
    case 'contact_id':
    case 'contact_type':
    case 'identity':
    case 'email':
    case 'mobile':
    case 'created_at':
    case 'updated_at':
    case 'email_opted_out':
    case 'sms_opted_out':
      return contact[field];
    case 'list_id':
      return contact.lists.length === 0 ? null : contact.lists;
    default:
      return contact.attributes[field] ?? null;
  }
}

function meets(contact: StoredContact, { field, operation, values }: ModelCondition, world: World): boolean {
  if (field === 'segment_id') {
    const member = values.some((id) => matches(contact, world.segments.get(id as number)!, world));
    return operation === 'equals' ? member : !member;
  }
  const value = valueOf(contact, field, world);
  if (value === null) return operation === 'not_equals' || operation === 'not_contains' || operation === 'is_null';
  if (isMomentField.has(field)) return meetsInTime(String(value), operation, values.map(String), world.timeZone);
  const [first, second] = values;
  switch (operation) {
    case 'equals':
      return values.some((candidate) => same(field, value, candidate));
    case 'not_equals':
      return !values.some((candidate) => same(field, value, candidate));
    case 'contains':
      return fold(value as string).includes(fold(first as string));
    case 'not_contains':
      return !fold(value as string).includes(fold(first as string));
    case 'starts_with':
      return fold(value as string).startsWith(fold(first as string));
    case 'ends_with':
      return fold(value as string).endsWith(fold(first as string));
    case 'greater_than':
      return value > first!;
    case 'greater_than_or_equal':
      return value >= first!;
    case 'less_than':
      return value < first!;
    case 'less_than_or_equal':
      return value <= first!;
    case 'between':
      return value >= first! && value <= second!;
    case 'is_null':
      return false;
    case 'is_not_null':
      return true;
    default:
      throw new Error(`the oracle does not know ${operation}`);
  }
}

const isMomentField = new Set(['created_at', 'updated_at', 'LAST_SEEN']);

/**
 * Evaluates a condition on a date-time field. A plain day is compared with the local day in the
 * time zone of the account.
 */
function meetsInTime(moment: string, operation: string, values: readonly string[], timeZone: string): boolean {
  const day = localDay(moment, timeZone);
  const [first, second] = values.map((value) => ({ value, own: value.length === 10 ? day : moment }));
  switch (operation) {
    case 'equals':
      return values.some((value) => value === day || value === moment);
    case 'not_equals':
      return !values.some((value) => value === day || value === moment);
    case 'greater_than':
      return first!.own > first!.value;
    case 'greater_than_or_equal':
      return first!.own >= first!.value;
    case 'less_than':
      return first!.own < first!.value;
    case 'less_than_or_equal':
      return first!.own <= first!.value;
    case 'between':
      return first!.own >= first!.value && second!.own <= second!.value;
    case 'is_null':
      return false;
    case 'is_not_null':
      return true;
    default:
      throw new Error(`the oracle does not know ${operation} of moments`);
  }
}

const calendars = new Map<string, Intl.DateTimeFormat>();

function localDay(moment: string, timeZone: string): string {
  let calendar = calendars.get(timeZone);
  // The locale en-CA writes days as YYYY-MM-DD.
  calendar ??= new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  calendars.set(timeZone, calendar);
  return calendar.format(Date.parse(moment));
}

function same(field: string, value: Plain | readonly number[], candidate: Plain): boolean {
  if (typeof value === 'object') return value.includes(candidate as number);
  return field === 'email' ? fold(value as string) === fold(candidate as string) : value === candidate;
}

/**
 * Converts each letter to lower case separately, like PostgreSQL, so that its neighbours do not
 * matter.
 */
function fold(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase()).join('');
}

/**
 * Returns the matches in the order of the sort keys, with nulls last and ties in the order of
 * contact_id.
 */
export function sorted(contacts: readonly StoredContact[], keys: readonly ModelSort[], world: World): StoredContact[] {
  return contacts.toSorted((a, b) => {
    for (const { field, descending } of keys) {
      const order = compare(valueOf(a, field, world) as Plain | null, valueOf(b, field, world) as Plain | null);
      if (order === 'null first') return 1;
      if (order === 'null second') return -1;
      if (order !== 0) return descending ? -order : order;
    }
    return a.contact_id - b.contact_id;
  });
}

function compare(a: Plain | null, b: Plain | null): number | 'null first' | 'null second' {
  if (a === b) return 0;
  if (a === null) return 'null first';
  if (b === null) return 'null second';
  // PostgreSQL sorts by code points. UTF-8 bytes have that order, and UTF-16 units do not.
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return a < b ? -1 : 1;
}
