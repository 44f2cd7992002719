/** A generated contact of the benchmarks. The same number always gives the same contact. */
export interface Person {
  readonly identity: string;
  readonly mobile: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly lists: readonly number[];
}

const cities = Array.from({ length: 200 }, (_, n) => `City ${n}`);
const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'];

/** Number of lists that {@link person} uses, from audience_id 1. */
export const lists = 25;

/** Returns the n-th person. Another `version` changes three of the five attributes. */
export function person(n: number, version = 0): Person {
  // A multiplier without a common factor with the table sizes distributes neighbours over the
  // values.
  const mixed = Math.imul(n + 1, 2_654_435_761) >>> 0;
  return {
    identity: `person${n}@example${mixed % 97}.com`,
    mobile: String(910_000_000_000 + n * 7),
    attributes: {
      FIRST_NAME: `First${mixed % 5000}`,
      LAST_NAME: `Last${(mixed >>> 7) % 20_000}`,
      CITY: cities[(mixed + version) % cities.length]!,
      BIRTH_DATE: `${1950 + ((mixed >>> 3) % 55)}-${months[(mixed + version) % 12]}-${10 + ((mixed >>> 5) % 18)}`,
      SCORE: (mixed + version * 31) % 1000,
    },
    // Each person is in one of 5 lists and in one of 20 lists.
    lists: [1 + (mixed % 5), 6 + ((mixed >>> 4) % 20)],
  };
}
