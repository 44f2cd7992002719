import { plainCount, plainPage, type Statement } from './plain-table.ts';
import { search } from './search-cases.ts';

/** A search over an attribute that can have an index, with equivalent handwritten SQL. */
export interface AttributeCase {
  readonly name: string;
  /** Returns the body of the search. Its values change from run to run. */
  readonly body: (run: number) => object;
  /**
   * Returns handwritten SQL on a table with plain, indexed columns (plain-table.ts). The statements
   * of a run (page and count) are sent together.
   */
  readonly floor: (run: number) => Statement[];
}

/**
 * Cursors in the middle of the orders by SCORE, ascending and descending, with the positions that
 * they stand for.
 */
export interface DeepPositions {
  readonly ascending: { readonly cursor: string; readonly score: number; readonly id: number };
  readonly descendingList: { readonly cursor: string; readonly score: number; readonly id: number };
}

const condition = (field: string, operation: string, ...value: unknown[]) => ({ field, operation, value });
const by = (field: string, direction = 'asc') => ({ sorting: [{ field, direction }] });

/** A range over a share of the scores, which are uniformly distributed from 0 to 999. */
function range(percent: number, list: number | undefined): AttributeCase {
  const bounds = (run: number): [number, number] => [100 + (run % 100), 99 + (run % 100) + percent * 10];
  const members = list === undefined ? [] : [condition('list_id', 'equals', list)];
  return {
    name: `range of ${percent} %${list === undefined ? '' : ' in a list of 5 %'}, with count`,
    body: (run) => search([condition('SCORE', 'between', ...bounds(run)), ...members], { get_count: true }),
    floor(run) {
      const where = `c.score between $1 and $2${inList(list)}`;
      return [plainPage(where, bounds(run)), plainCount(where, bounds(run))];
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
  const members = list === undefined ? [] : [condition('list_id', 'equals', list)];
  return {
    name,
    body: () => search(members, { ...by(field, direction), pagination: { page: number, limit: 10 } }),
    floor() {
      const order = `c.${field.toLowerCase()}${direction === 'asc' ? '' : ' desc nulls last'}, c.contact_id`;
      return [plainPage(`true${inList(list)}`, [], order, (number - 1) * 10)];
    },
  };
}

/** A condition on a part of LAST_NAME, which is `Last` and a number below 20,000. */
function partOfText(
  name: string,
  operation: 'starts_with' | 'contains' | 'ends_with',
  text: (run: number) => string,
  list?: number,
): AttributeCase {
  const members = list === undefined ? [] : [condition('list_id', 'equals', list)];
  const [before, after] = [operation === 'starts_with' ? '' : '%', operation === 'ends_with' ? '' : '%'];
  return {
    name,
    body: (run) => search([condition('LAST_NAME', operation, text(run)), ...members], { get_count: true }),
    floor(run) {
      const where = `lower(c.last_name) like lower($1)${inList(list)}`;
      const values = [`${before}${text(run)}${after}`];
      return [plainPage(where, values), plainCount(where, values)];
    },
  };
}

function inList(list: number | undefined): string {
  return list === undefined ? '' : ` and c.list_ids && '{${list}}'`;
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
    floor() {
      const beyond = direction === 'asc' ? '>' : '<';
      const where = `c.score ${beyond}= $1 and (c.score ${beyond} $1 or c.contact_id > $2)${inList(list)}`;
      const order = `c.score${direction === 'asc' ? '' : ' desc nulls last'}, c.contact_id`;
      return [plainPage(where, [bound, id], order)];
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
      floor: (run) => [plainPage('c.score between $1 and $2', [100 + run, 199 + run], 'c.score, c.contact_id')],
    },
    sorted('sorted by a number, ascending', 'asc', 'SCORE'),
    sorted('sorted by a number, descending', 'desc', 'SCORE'),
    sorted('a list of 5 %, sorted by a number', 'desc', 'SCORE', 7),
    sorted('sorted by a text of 200 values', 'asc', 'CITY'),
    afterCursor('sorted by a number, after a cursor at half', 'asc', deep.ascending),
    afterCursor('a list of 5 %, sorted, after a cursor at half', 'desc', deep.descendingList, 7),
    sorted('sorted by a number, page 5,000', 'asc', 'SCORE', undefined, 5000),
    partOfText('beginning of a text (5 %), with count', 'starts_with', (run) => `Last1${run % 10}`),
    partOfText('beginning of a text (0.5 %), with count', 'starts_with', (run) => `Last1${10 + (run % 90)}`),
    partOfText('beginning of a text (5 %) in a list of 5 %, with count', 'starts_with', (run) => `Last1${run % 10}`, 7),
    partOfText('part of a text (5 %), with count', 'contains', (run) => `T1${run % 10}`),
    partOfText('part of a text (0.05 %), with count', 'contains', (run) => `t1${100 + run}`),
    partOfText('end of a text (0.1 %), with count', 'ends_with', (run) => `${100 + run}`),
    {
      name: 'part of a text without a match, no index, sorted by a number',
      body: () => search([condition('FIRST_NAME', 'contains', 'nobody')], by('SCORE')),
      floor: () => [plainPage('c.first_name ilike $1', ['%nobody%'], 'c.score, c.contact_id')],
    },
  ];
}
