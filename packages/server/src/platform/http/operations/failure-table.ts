import { failureKinds, type FailureCode } from '@roster/contract';

/** Why items of an accepted request can fail, or be applied without a part, as Markdown. */
export function failureTable(codes: readonly FailureCode[]): string {
  const rows = codes.map((code) => {
    const { warning, message } = failureKinds[code];
    return `| \`${code}\` | ${warning ? 'applied without the part' : 'not applied'} | ${message} |`;
  });
  return `### Failures of items

What could not be done is recorded item by item; operators see it under **Requests**.

| Code | The item is | Meaning |
|---|---|---|
${rows.join('\n')}`;
}
