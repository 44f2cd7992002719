/** A statement of the floor. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A search over an attribute that can have an index, with equivalent handwritten SQL. */
export interface AttributeCase {
  readonly name: string;
  /** Returns the body of the search. Its values change from run to run. */
  readonly body: (run: number) => object;
  /**
   * Returns the handwritten SQL, for a table with or without the index. The statements of a run
   * (page and count) are sent together.
   */
  readonly floor: (run: number, indexed: boolean) => Statement[];
}

/**
 * Cursors in the middle of the orders by SCORE, ascending and descending, with the positions that
 * they stand for.
 */
export interface DeepPositions {
  readonly ascending: { readonly cursor: string; readonly score: number; readonly id: number };
  readonly descendingList: { readonly cursor: string; readonly score: number; readonly id: number };
}

const fields = ['contact_id', 'EMAIL', 'MOBILE', 'FIRST_NAME', 'CITY'];
const columns = `c.contact_id, c.email, c.mobile, c.attributes ->> '1.1', c.attributes ->> '1.5'`;
const condition = (field: string, operation: string, ...value: unknown[]) => ({ field, operation, value });
const search = (conditions: object[], output: object = {}) => ({
  filtering_criteria: conditions.length === 0 ? [] : [{ condition_details: conditions }],
  output: { fields, ...output },
});
const by = (field: string, direction = 'asc') => ({ sorting: [{ field, direction }] });

// With an index, the expressions of the indexes of the service. Without one, plain expressions.
const score = (indexed: boolean): string =>
  indexed
    ? `(case when jsonb_typeof(c.attributes -> '1.11') = 'number' then (c.attributes -> '1.11')::numeric end)`
    : `(c.attributes -> '1.11')`;
const scoreType = (indexed: boolean): string => (indexed ? 'numeric' : 'jsonb');
const city = (indexed: boolean): string =>
  indexed ? `left(c.attributes ->> '1.5', 600) collate "C"` : `(c.attributes ->> '1.5') collate "C"`;
const lastName = (indexed: boolean): string =>
  indexed ? `left(lower(c.attributes ->> '1.2'), 128) ^@ $1` : `lower(c.attributes ->> '1.2') like $1 || '%'`;

const newest = 'c.created_at desc, c.contact_id';
const page = (where: string, values: readonly unknown[], order = newest, offset = 0): Statement => ({
  text: `select ${columns} from contacts c where c.account_id = 1 and ${where} order by ${order} limit 10 offset ${offset}`,
  values,
});
const count = (where: string, values: readonly unknown[]): Statement => ({
  text: `select count(*) from contacts c where c.account_id = 1 and ${where}`,
  values,
});

/** A range over a share of the scores, which are uniformly distributed from 0 to 999. */
function range(percent: number, list: number | undefined): AttributeCase {
  const bounds = (run: number): [number, number] => [100 + (run % 100), 99 + (run % 100) + percent * 10];
  const members = list === undefined ? [] : [condition('list_id', 'equals', list)];
  return {
    name: `range of ${percent} %${list === undefined ? '' : ' in a list of 5 %'}, with count`,
    body: (run) => search([condition('SCORE', 'between', ...bounds(run)), ...members], { get_count: true }),
    floor(run, indexed) {
      const type = scoreType(indexed);
      const inList = list === undefined ? '' : ` and c.list_ids && '{${list}}'`;
      const where = `${score(indexed)} between $1::${type} and $2::${type}${inList}`;
      return [page(where, bounds(run).map(String)), count(where, bounds(run).map(String))];
    },
  };
}

function sorted(
  name: string,
  direction: 'asc' | 'desc',
  field: 'SCORE' | 'CITY',
  list?: number,
  number = 1,
): AttributeCase {
  const expression = field === 'SCORE' ? score : city;
  const members = list === undefined ? [] : [condition('list_id', 'equals', list)];
  return {
    name,
    body: () => search(members, { ...by(field, direction), pagination: { page: number, limit: 10 } }),
    floor(_, indexed) {
      const order = `${expression(indexed)}${direction === 'asc' ? '' : ' desc nulls last'}, c.contact_id`;
      return [page(list === undefined ? 'true' : `c.list_ids && '{${list}}'`, [], order, (number - 1) * 10)];
    },
  };
}

function beginning(name: string, text: (run: number) => string, list?: number): AttributeCase {
  const members = list === undefined ? [] : [condition('list_id', 'equals', list)];
  return {
    name,
    body: (run) => search([condition('LAST_NAME', 'starts_with', text(run)), ...members], { get_count: true }),
    floor(run, indexed) {
      const where = `${lastName(indexed)}${list === undefined ? '' : ` and c.list_ids && '{${list}}'`}`;
      const values = [text(run).toLowerCase()];
      return [page(where, values), count(where, values)];
    },
  };
}

/** Returns the searches over attributes with an index in docs/benchmarks.md. */
export function attributeCases(deep: DeepPositions): AttributeCase[] {
  const afterCursor = (
    name: string,
    direction: 'asc' | 'desc',
    { cursor, score: bound, id }: DeepPositions['ascending'],
    list?: number,
  ): AttributeCase => ({
    name,
    body: () =>
      search(list === undefined ? [] : [condition('list_id', 'equals', list)], {
        ...by('SCORE', direction),
        pagination: { cursor, limit: 10 },
      }),
    floor(_, indexed) {
      const value = score(indexed);
      const type = scoreType(indexed);
      const beyond = direction === 'asc' ? '>' : '<';
      const where = `${value} ${beyond}= $1::${type} and (${value} ${beyond} $1::${type} or c.contact_id > $2)`;
      const order = `${value}${direction === 'asc' ? '' : ' desc nulls last'}, c.contact_id`;
      return [
        page(`${where}${list === undefined ? '' : ` and c.list_ids && '{${list}}'`}`, [String(bound), id], order),
      ];
    },
  });
  return [
    range(1, undefined),
    range(10, undefined),
    range(50, undefined),
    range(10, 7),
    {
      name: 'range of 10 %, sorted by it',
      body: (run) => search([condition('SCORE', 'between', 100 + run, 199 + run)], by('SCORE')),
      floor(run, indexed) {
        const type = scoreType(indexed);
        const where = `${score(indexed)} between $1::${type} and $2::${type}`;
        return [page(where, [String(100 + run), String(199 + run)], `${score(indexed)}, c.contact_id`)];
      },
    },
    sorted('sorted by a number, ascending', 'asc', 'SCORE'),
    sorted('sorted by a number, descending', 'desc', 'SCORE'),
    sorted('a list of 5 %, sorted by a number', 'desc', 'SCORE', 7),
    sorted('sorted by a text of 200 values', 'asc', 'CITY'),
    afterCursor('sorted by a number, after a cursor at half', 'asc', deep.ascending),
    afterCursor('a list of 5 %, sorted, after a cursor at half', 'desc', deep.descendingList, 7),
    sorted('sorted by a number, page 5,000', 'asc', 'SCORE', undefined, 5000),
    beginning('beginning of a text (5 %), with count', (run) => `Last1${run % 10}`),
    beginning('beginning of a text (0.5 %), with count', (run) => `Last1${10 + (run % 90)}`),
    beginning('beginning of a text (5 %) in a list of 5 %, with count', (run) => `Last1${run % 10}`, 7),
    {
      name: 'contains a text without a match, sorted by a number',
      body: () => search([condition('FIRST_NAME', 'contains', 'nobody')], by('SCORE')),
      floor: () => [page(`lower(c.attributes ->> '1.1') like $1`, ['%nobody%'], `${score(false)}, c.contact_id`)],
    },
  ];
}
