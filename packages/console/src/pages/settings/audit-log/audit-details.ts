/** A fact in the details of an entry of the audit log. A change has a value before it. */
export interface AuditFact {
  readonly field: string;
  readonly before?: unknown;
  readonly value: unknown;
}

/** The words for the details of entries. */
export interface AuditWords {
  readonly field: (name: string) => string;
  /** The words for a value of a field, such as a role. Other values stay as they are. */
  readonly value: (field: string, value: string) => string;
  readonly isTrue: string;
  readonly isFalse: string;
}

/** Returns what an entry says about a change, fact by fact. */
export function auditFacts(details: Readonly<Record<string, unknown>>): readonly AuditFact[] {
  return Object.entries(details).flatMap(([field, value]) =>
    field === 'changes' && isObject(value)
      ? Object.entries(value).map(([changed, change]) => factOf(changed, change))
      : [factOf(field, value)],
  );
}

/** Returns the facts in one line: `Name Newsletter · Role viewer → editor`. */
export function auditDetailsText(details: Readonly<Record<string, unknown>>, words: AuditWords): string {
  const texts = auditFacts(details).map((fact) => {
    const value = auditValueText(fact.field, fact.value, words);
    const before = 'before' in fact ? `${auditValueText(fact.field, fact.before, words)} → ` : '';
    return `${words.field(fact.field)} ${before}${value}`;
  });
  return texts.length === 0 ? '–' : texts.join(' · ');
}

/** The place of an attribute in a contact, as events name it: `attributes.CITY`. */
const attributePlace = 'attributes.';

/** Returns the value of a field of the details as text. Unknown forms are JSON. */
export function auditValueText(field: string, value: unknown, words: AuditWords): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? words.isTrue : words.isFalse;
  if (Array.isArray(value)) return value.map((one) => auditValueText(field, one, words)).join(', ') || '–';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'fields' && value.startsWith(attributePlace)) return value.slice(attributePlace.length);
  return words.value(field, value);
}

function factOf(field: string, value: unknown): AuditFact {
  const isChange = isObject(value) && 'to' in value && 'from' in value;
  return isChange ? { field, before: value['from'], value: value['to'] } : { field, value };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
