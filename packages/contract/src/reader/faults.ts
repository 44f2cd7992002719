/** One thing that is wrong with a request: where and what (decisions §2). */
export interface Fault {
  /** Stable code out of the catalogue of fault codes. */
  readonly code: FaultCode;
  /** Path of the place, such as `data.contacts[3].email`; empty for the body as a whole. */
  readonly field: string;
  /** What is wrong and what to do about it, for people. Never repeats the value that was sent. */
  readonly message: string;
}

/** Every code that an entry of `errors` can carry, with what it means; `docs/errors.md` is generated from it. */
export const faultCodes = {
  required: 'A required field is missing, null or blank.',
  invalid_type: 'The value has the wrong JSON type.',
  invalid_format: 'The text does not have the form that the field asks for.',
  invalid_character: 'The text contains U+0000 or a lone surrogate, which cannot be stored.',
  too_short: 'The text has too few characters.',
  too_long: 'The text has too many characters.',
  too_few_items: 'The array has too few items.',
  too_many_items: 'The array or object has too many items.',
  out_of_range: 'The number is smaller or larger than allowed.',
  unknown_value: 'The value is not one of the allowed words.',
  unknown_field: 'The field is not known here; it is refused because ignoring it could change what the request means.',
  not_allowed: 'The field must not be given at this place.',
  not_found: 'The thing that the value names does not exist in this account.',
  duplicate: 'The same thing is named twice in the request.',
  taken: 'Another thing has the name or the place already.',
  in_use: 'Something uses the thing, which forbids the change; the message says what.',
  missing_scope: 'The API key lacks the scope that the field needs.',
  wrong_arity: 'The operation takes another number of values.',
  not_supported: 'The combination is not supported, such as an operation that does not fit the type of the field.',
} as const;

/** A code that an entry of `errors` can carry. */
export type FaultCode = keyof typeof faultCodes;

/**
 * Collects the faults of one request, at most `limit` of them (50 by decisions §2).
 *
 * Readers report faults with the path below themselves and callers put their own key in front afterwards ({@link prefix}): a
 * request without faults never builds a path.
 */
export class Faults {
  readonly list: Fault[] = [];
  readonly limit: number;

  constructor(limit = 50) {
    this.limit = limit;
  }

  /** Number of faults so far. */
  get count(): number {
    return this.list.length;
  }

  /** True when no further fault would be kept, so that a reader can stop early. */
  get full(): boolean {
    return this.list.length >= this.limit;
  }

  /** Adds a fault at the place itself, or at `field` below it. */
  add(code: FaultCode, message: string, field = ''): undefined {
    if (!this.full) this.list.push({ code, field, message });
    return undefined;
  }

  /** Puts a key or an array index in front of the path of every fault from the `from`-th on. */
  prefix(from: number, key: string | number): void {
    for (let at = from; at < this.list.length; at++) {
      const fault = this.list[at]!;
      this.list[at] = { ...fault, field: join(key, fault.field) };
    }
  }

  /** Gives every fault from the `from`-th on another path. */
  replaceFields(from: number, fieldOf: (field: string) => string): void {
    for (let at = from; at < this.list.length; at++) {
      const fault = this.list[at]!;
      this.list[at] = { ...fault, field: fieldOf(fault.field) };
    }
  }
}

function join(key: string | number, rest: string): string {
  const head = typeof key === 'number' ? `[${key}]` : key;
  if (rest === '') return head;
  return rest.startsWith('[') ? head + rest : `${head}.${rest}`;
}
