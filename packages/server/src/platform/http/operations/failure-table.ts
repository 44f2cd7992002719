import { failureKinds, type FailureCode } from '@roster/contract';

/** Makes a Markdown table of the failures and warnings of the items of an operation. */
export function failureTable(codes: readonly FailureCode[]): string {
  const rows = codes.map((code) => {
    const { warning, message } = failureKinds[code];
    return `| \`${code}\` | ${warning ? 'applied without the part' : 'not applied'} | ${message} |`;
  });
  return `### Failures of items

Failures are recorded for each item. To see them, send \`Prefer: wait=N\`, or get the request: see **Requests**.

| Code | The item is | Meaning |
|---|---|---|
${rows.join('\n')}`;
}
