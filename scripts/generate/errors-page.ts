import {
  apiErrors,
  deliveryErrors,
  failureKinds,
  faultCodes,
  importFailures,
  importRowFailures,
  mailErrors,
} from '../../packages/contract/src/index.ts';
import { generatedNote, table } from './markdown.ts';

/** docs/errors.md: every code that Roster answers with, from the catalogues of the contract. */
export function errorsPage(): string {
  const errors = Object.entries(apiErrors).map(([code, { status, description, doc }]) => [
    String(status),
    `\`${code}\``,
    description,
    doc,
  ]);
  const faults = Object.entries(faultCodes).map(([code, doc]) => [`\`${code}\``, doc]);
  const failures = Object.entries(failureKinds).map(([code, { warning, message }]) => [
    `\`${code}\``,
    warning ? 'the part is left out' : 'the item is not applied',
    message,
  ]);
  const mails = Object.entries(mailErrors).map(([code, { final, message }]) => [
    `\`${code}\``,
    final ? 'given up at once' : 'tried again for 24 hours',
    message,
  ]);
  const imports = Object.entries(importFailures).map(([code, message]) => [`\`${code}\``, message]);
  const rows = Object.entries(importRowFailures).map(([code, { warning, message }]) => [
    `\`${code}\``,
    warning ? 'the value is left out' : 'the row is not applied',
    message,
  ]);
  const deliveries = Object.entries(deliveryErrors).map(([code, message]) => [`\`${code}\``, message]);
  return `# Errors

${generatedNote}

## Error answers

What a request can be answered with instead of success. The body is \`{request_id, code, status: "error", description, errors}\`, where \`code\` is the
HTTP status and \`description\` one of the sentences below with its \`{places}\` filled in.

${table(['Status', 'Error', 'Description', 'Meaning'], errors)}

## Faults of a request

The \`code\` of an entry of \`errors\`. Its \`field\` is the path of the place, such as \`data.contacts[3].email\`, and its \`message\` says what would be right.

${table(['Code', 'Meaning'], faults)}

## Failures of items

An accepted request is applied later, and one bad item never sinks the others. What could not be done is recorded for operators
(\`GET /admin/v1/accounts/{account_id}/requests/{request_id}\`) with the index of the item and one of these codes.

${table(['Code', 'Effect', 'Message'], failures)}

## Imports that fail

Why an import as a whole failed: \`failure.code\` of \`GET /admin/v1/accounts/{account_id}/imports/{import_id}\`.

${table(['Code', 'Meaning'], imports)}

## Rows of imports that fail

\`IMPORT_CODE\` in the file of failures (\`…/imports/{import_id}/failures\`): one of these codes, of the faults of a request, or of the failures of items above.

${table(['Code', 'Effect', 'Message'], rows)}

## Mails that cannot be sent

Why an attempt to send a mail failed: \`last_error.code\` of \`GET /admin/v1/accounts/{account_id}/mails\`.

${table(['Code', 'Effect', 'Message'], mails)}

## Callbacks that do not arrive

Why an attempt to send a callback failed: \`error.code\` of an attempt in \`GET /admin/v1/accounts/{account_id}/deliveries/{delivery_id}\`. Whatever it is, the
callback is tried again for 24 hours.

${table(['Code', 'Meaning'], deliveries)}
`;
}
