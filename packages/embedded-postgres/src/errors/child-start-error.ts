/** The first start of a child failed; the message is the child's own, for people. */
export class ChildStartError extends Error {
  override readonly name = 'ChildStartError';
}
