/** A page of rows, with the cursor of the next page. */
export interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | null | undefined;
}

/** A page of the operator API. */
export interface Page<Row> {
  readonly data: readonly Row[];
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null;
}

/**
 * Rows that are fetched page by page while you read them: `for await (const row of listing)`.
 *
 * Each iteration starts at the first page. A row that exists during the whole iteration is returned
 * exactly once. A row that is created or deleted during the iteration may be missing.
 */
export class Listing<Row, Answer extends PageOf<Row> = PageOf<Row>> implements AsyncIterable<Row> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Answer>;

  /** `fetchPage` fetches one page. It gets no cursor for the first page. */
  constructor(fetchPage: (cursor: string | undefined) => Promise<Answer>) {
    this.#fetchPage = fetchPage;
  }

  /** Returns the page at a cursor; without a cursor, the first page. */
  page(cursor?: string): Promise<Answer> {
    return this.#fetchPage(cursor);
  }

  /** Returns the pages. They can have more fields than the rows, such as a count. */
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

  /** Returns the first rows. Fetches only as many pages as needed. */
  async take(count: number): Promise<Row[]> {
    const rows: Row[] = [];
    if (count <= 0) return rows;
    for await (const row of this) {
      rows.push(row);
      if (rows.length >= count) break;
    }
    return rows;
  }

  /** Returns all rows in one array. Use it for short listings. */
  async all(): Promise<Row[]> {
    return this.take(Number.POSITIVE_INFINITY);
  }
}
