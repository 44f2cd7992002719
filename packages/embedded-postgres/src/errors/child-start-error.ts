/** The first start of a child failed. The message comes from the child. */
export class ChildStartError extends Error {
  override readonly name = 'ChildStartError';
}
