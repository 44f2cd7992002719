/** One fault of a request: its place and what is wrong. */
export interface Fault {
  /** Stable code from {@link faultCodes}. */
  readonly code: FaultCode;
  /** Path of the place, such as `data.contacts[3].email`. Empty for the body as a whole. */
  readonly field: string;
  /**
   * What is wrong and what to do. It can contain names of fields and operations, but never values.
   */
  readonly message: string;
}

/**
 * Every code of an entry of `errors`, with its meaning. `docs/errors.md` is generated from this
 * table.
 */
export const faultCodes = {
  required: 'A required field is missing, null or blank.',
  invalid_type: 'The value has the wrong JSON type.',
  invalid_format: 'The text does not have the required form.',
  invalid_character:
    'The text contains U+0000 or half of a surrogate pair, which cannot be stored. Or a name contains an invisible character.',
  too_short: 'The text is too short.',
  too_long: 'The text is too long.',
  too_few_items: 'The array has too few items.',
  too_many_items: 'The array or object has too many items.',
  out_of_range: 'The number is too small or too large.',
  unknown_value: 'The value is not one of the allowed words.',
  unknown_field: 'The field is unknown. It is refused, because ignoring it could change the meaning of the request.',
  not_allowed: 'The field is not allowed here.',
  not_found: 'Nothing in the account has this name or number.',
  duplicate: 'The request names the same thing twice.',
  taken: 'The name or place is already taken.',
  in_use: 'Something else uses this object, so the change is not possible. The message says where it is used.',
  missing_scope: 'The field needs a scope that the caller does not have.',
  confirmation_required: 'The change needs a recent sign-in. See the error `confirmation_required`.',
  wrong_arity: 'The operation needs a different number of values.',
  not_supported: 'The combination is not supported, for example an operation that does not fit the type of the field.',
} as const;

/** A code of an entry of `errors`. */
export type FaultCode = keyof typeof faultCodes;

/**
 * Collects up to `limit` faults of one request (default 50).
 *
 * A reader adds a fault with the path inside its own value. The reader of the surrounding value
 * then puts its key in front ({@link prefix}). So a request without faults never builds a path.
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

  /** True when no further fault is kept. A reader can then stop early. */
  get full(): boolean {
    return this.list.length >= this.limit;
  }

  /**
   * Adds a fault at the current place, or at `field` inside it. Returns undefined, the value of a
   * faulty field.
   */
  add(code: FaultCode, message: string, field = ''): undefined {
    if (!this.full) this.list.push({ code, field, message });
    return undefined;
  }

  /** Puts a key or an array index in front of the paths of all faults from index `from` on. */
  prefix(from: number, key: string | number): void {
    for (let at = from; at < this.list.length; at++) {
      const fault = this.list[at]!;
      this.list[at] = { ...fault, field: join(key, fault.field) };
    }
  }

  /** Replaces the paths of all faults from index `from` on. */
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
