/** A field that two people can change at the same time. */
export interface MergeField<Draft> {
  readonly id: string;
  /** Name of the field, as people see it. */
  readonly label: string;
  /** The parts of a draft that belong to the field. */
  readonly keys: readonly (keyof Draft)[];
  /** The value of the field, as people see it. */
  readonly show: (draft: Draft) => string;
  /** Returns your draft with both values of the field together; undefined if they do not fit. */
  readonly combine?: (theirs: Draft, yours: Draft) => Draft | undefined;
}

/** The result of a merge: a draft, and the fields that both people have changed. */
export interface Merged<Draft> {
  /** The changes of both people. In the fields of `conflicts`, those of this person. */
  readonly draft: Draft;
  readonly conflicts: readonly MergeField<Draft>[];
}

/**
 * Merges the changes of two people, who both began with `base`. Parts that belong to no field are
 * taken from `theirs`.
 */
export function mergeDrafts<Draft extends object>(
  base: Draft,
  theirs: Draft,
  yours: Draft,
  fields: readonly MergeField<Draft>[],
): Merged<Draft> {
  let draft = theirs;
  const conflicts: MergeField<Draft>[] = [];
  for (const field of fields) {
    if (isSame(field, yours, base)) continue;
    if (!isSame(field, theirs, base) && !isSame(field, theirs, yours)) conflicts.push(field);
    draft = withField(draft, field, yours);
  }
  return { draft, conflicts };
}

/** Returns a draft with the value of a field from another one. */
export function withField<Draft extends object>(draft: Draft, { keys }: MergeField<Draft>, from: Draft): Draft {
  return { ...draft, ...Object.fromEntries(keys.map((key) => [key, from[key]])) };
}

function isSame<Draft extends object>({ keys }: MergeField<Draft>, one: Draft, other: Draft): boolean {
  return keys.every((key) => JSON.stringify(one[key]) === JSON.stringify(other[key]));
}
