/** A message from a child to its supervisor. */
export type ChildMessage =
  /** The child is running. `url` is its address, if it listens. */
  | { readonly type: 'ready'; readonly url?: string }
  /** The child could not start and is about to exit. `message` is for the user. */
  | { readonly type: 'failed'; readonly message: string }
  /** A message of the application. */
  | { readonly type: 'message'; readonly body: unknown };

/** A message of the application from a supervisor to a child. */
export interface ParentMessage {
  readonly type: 'message';
  readonly body: unknown;
}
