/**
 * Reads pages of up to `size` rows until one is not full. `load` gets the last row of the page
 * before. Use it when rows that stay would hide the rows after them.
 */
export async function* pagesOf<Row>(
  size: number,
  load: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let rows: readonly Row[] = [];
  do {
    rows = await load(rows.at(-1));
    yield rows;
  } while (rows.length === size);
}
