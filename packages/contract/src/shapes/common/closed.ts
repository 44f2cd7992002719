/**
 * Keywords of an object that refuses unknown keys. Ignoring a key could widen a search, or do less
 * than the caller expects.
 *
 * `notify_callback` is still ignored, because old clients send it with every request.
 */
export const closed = { additionalProperties: false, 'x-ignore-keys': ['notify_callback'] } as const;
