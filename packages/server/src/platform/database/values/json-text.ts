/** Returns the JSON of a value for a column. Null and undefined stay as they are. */
export function jsonText<Value extends object | null | undefined>(
  value: Value,
): string | Extract<Value, null | undefined> {
  return value === null || value === undefined ? (value as Extract<Value, null | undefined>) : JSON.stringify(value);
}
