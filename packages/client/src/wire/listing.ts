/** What a page has: its rows, and where to go on. */
export interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | null | undefined;
}

/** A page of the operator API. */
export interface Page<Row> {
  readonly data: readonly Row[];
  /** Cursor of the next page; null on the last one. */
  readonly next_cursor: string | null;
}

/**
 * Rows that are fetched page by page, as they are asked for: `for await (const row of listing)`.
 *
 * Each iteration begins anew. Rows that come and go meanwhile are seen or not; none is seen twice, and none is left out that stays.
 */
export class Listing<Row, Answer extends PageOf<Row> = PageOf<Row>> implements AsyncIterable<Row> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Answer>;

  /** `fetchPage` fetches one page: the first one without a cursor. */
  constructor(fetchPage: (cursor: string | undefined) => Promise<Answer>) {
    this.#fetchPage = fetchPage;
  }

  /** The answers one by one, with what they have besides the rows. */
  async *pages(): AsyncGenerator<Answer, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#fetchPage(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** The first rows; no more pages are fetched than are needed. */
  async take(count: number): Promise<Row[]> {
    const rows: Row[] = [];
    if (count <= 0) return rows;
    for await (const row of this) {
      rows.push(row);
      if (rows.length >= count) break;
    }
    return rows;
  }

  /** Every row in one array: for listings that are known to be short. */
  async all(): Promise<Row[]> {
    return this.take(Number.POSITIVE_INFINITY);
  }
}
