/**
 * Keywords of an object that refuses unknown keys: ignoring one could widen a search, or do less than the caller believes.
 *
 * `notify_callback` is ignored all the same: old clients send it with every request.
 */
export const closed = { additionalProperties: false, 'x-ignore-keys': ['notify_callback'] } as const;
