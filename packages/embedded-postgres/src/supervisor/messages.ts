/** What a child tells its supervisor. */
export type ChildMessage =
  /** It does its work now; `url` is where it listens, if it does. */
  | { readonly type: 'ready'; readonly url?: string }
  /** It could not start; `message` is for people. The exit follows. */
  | { readonly type: 'failed'; readonly message: string }
  /** Something of the program's own. */
  | { readonly type: 'message'; readonly body: unknown };

/** What a supervisor tells a child: something of the program's own. */
export interface ParentMessage {
  readonly type: 'message';
  readonly body: unknown;
}
