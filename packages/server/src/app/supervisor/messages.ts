/** What a child tells the supervisor. */
export type ChildMessage =
  /** It does its work now; `url` is where it listens, if it does. */
  | { readonly type: 'ready'; readonly url?: string }
  /** It could not start; `message` is for people. The exit follows. */
  | { readonly type: 'failed'; readonly message: string }
  /** The state of its metrics, for the process that serves `/metrics`. */
  | { readonly type: 'metrics'; readonly metrics: unknown };

/** What the supervisor tells a child. */
export type ParentMessage =
  /** The metrics of a worker, relayed to the API. */
  { readonly type: 'metrics'; readonly metrics: unknown };
