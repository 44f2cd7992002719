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

/** Returns docs/errors.md: every error code, from the catalogues of the contract. */
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
    final ? 'final' : 'tried again for 24 hours',
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

These are the errors that a request can get. In V5 and in the operator API, the body of an error is
\`{request_id, code, status: "error", description, errors}\`. \`code\` is the HTTP status.
\`description\` is one of the sentences below, with values for its \`{places}\`. Exports (v4), batch add
(v3) and channel activity (apiv2) have their own shapes of errors.

${table(['Status', 'Error', 'Description', 'Meaning'], errors)}

## Faults of a request

Each entry of \`errors\` has one of these codes as its \`code\`. Its \`field\` is the path of the fault,
such as \`data.contacts[3].email\`. Its \`message\` says what is allowed.

${table(['Code', 'Meaning'], faults)}

## Failures of items

An accepted request is applied later. One bad item does not stop the others. Each failure is
recorded with the index of the item and one of these codes. To see it, send \`Prefer: wait=N\` with
the request, or get the request later: [contract/requests.md](contract/requests.md).

${table(['Code', 'Effect', 'Message'], failures)}

## Imports that fail

The reason why a whole import failed: \`failure.code\` of
\`GET /admin/v1/accounts/{account_id}/imports/{import_id}\`.

${table(['Code', 'Meaning'], imports)}

## Rows of imports that fail

\`IMPORT_CODE\` in the file of failures (\`…/imports/{import_id}/failures\`) is one of these codes, a
fault of a request, or a failure of an item (above).

${table(['Code', 'Effect', 'Message'], rows)}

## Mails that cannot be sent

The reason why an attempt to send a mail failed: \`last_error.code\` of
\`GET /admin/v1/accounts/{account_id}/mails\`.

${table(['Code', 'Effect', 'Message'], mails)}

## Callbacks that do not arrive

The reason why an attempt to send a callback failed: \`error.code\` of an attempt in
\`GET /admin/v1/accounts/{account_id}/deliveries/{delivery_id}\`. After each of these errors, the
callback is tried again for 24 hours.

${table(['Code', 'Meaning'], deliveries)}
`;
}
