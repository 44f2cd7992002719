/** Returns an object without the properties that are undefined. */
export function given<Values extends object>(
  values: Values,
): { [Name in keyof Values]: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]: Exclude<Values[Name], undefined>;
  };
}
