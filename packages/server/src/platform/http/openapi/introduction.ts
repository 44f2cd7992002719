/** Sections of the description, in the order of the page. */
export const tags = [
  {
    name: 'Contacts',
    description:
      'Create, update, delete and search contacts. Needs an API key. Every path is also served without `/v5`.',
  },
  {
    name: 'Attributes',
    description:
      'The typed fields of contacts: create, search, update, delete them, and see where they are used. Needs an API key. Every path is also served without `/v5`.',
  },
  {
    name: 'Batch add',
    description:
      'The older way to add contacts to a list, up to 1000 in a call. Needs an API key with the scope `contacts:write`.',
  },
  { name: 'Accounts', description: 'Tenants: each has its contacts, attributes, audiences and API keys.' },
  {
    name: 'API keys',
    description: 'Credentials of an account; any number are valid at once, so that they rotate without a gap.',
  },
  {
    name: 'Attribute indexes',
    description:
      'The attributes of an account as operators see them, and the indexes on their values that make ranges, sorting and beginnings of texts fast.',
  },
  { name: 'Lists', description: 'Audiences with explicit members.' },
  { name: 'Segments', description: 'Audiences by a saved filter, evaluated whenever they are used.' },
  { name: 'Activities', description: 'What was sent to people, and what they did with it.' },
  {
    name: 'Lifecycle',
    description: 'Sign-up with double opt-in, and the moves between contact types that operators make.',
  },
  {
    name: 'Privacy',
    description: 'Requests of people about their data: all that is known of one person, and its erasure.',
  },
  {
    name: 'Requests',
    description: 'What became of accepted requests: status, counts, and every failure with its reason.',
  },
  { name: 'Mails', description: 'What the service wrote to people, and whether the mail server took it.' },
  {
    name: 'Deliveries',
    description: 'Callbacks: what was sent where, every attempt, replay, and the secret that they are signed with.',
  },
  {
    name: 'Exports',
    description: 'Audiences as CSV files. Needs an API key with the scope `export`; operators see and cancel exports.',
  },
  {
    name: 'Imports',
    description:
      'Files of contacts, CSV or NDJSON, that are read in the background: make an import, send its file, and see how far it is and which rows failed.',
  },
  { name: 'Audit log', description: 'Who changed what.' },
] as const;

/** How callers authenticate. */
export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description: 'API key of an account. Operators make and revoke keys.',
  },
  apiKeyParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'apikey',
    description: 'API key of an account as a parameter, in the query or in the body.',
  },
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Operator token: `ROSTER_ADMIN_TOKEN`, or the one in the file `admin-token` of the data directory.',
  },
} as const;

/** What Roster is and the rules that all operations share (Markdown). */
export const description = `Roster is a self-hosted contact and audience store.

## Interfaces

* **Contacts** (\`/v5/…\`): for programs that write and search the contacts of one account. POST with a JSON body. Send the API key of the account in the header \`api-key\`.
* **Batch add** (\`POST /v3/contact/batchadd\`): the older way to add contacts to a list. The same API key.
* **Exports** (\`POST /v4/audience/export\`): the contacts of a list or segment as a file. The same API key.
* **Activity** (\`POST /apiv2\`): what was sent to one person and what they did. The same API key, as the parameter \`apikey\`.
* **Operators** (\`/admin/v1/…\`): accounts, keys, audiences, and what became of requests. Send \`Authorization: Bearer <operator token>\`.

## Asynchronous operations

Create, update and delete of contacts answer 200 once the request is stored durably. It is applied later, usually within a second, exactly once, and in the order of acceptance among the requests of the account.

* The shape of the request is checked before the answer: 400 means that nothing of it was stored.
* What depends on the data of the account (does the attribute exist, is the value of its type, is the list there) is checked when the request is applied. One bad contact never sinks the others; its failure is recorded with its index and a stable code.
* There is no operation with which the caller asks for the result. Operators see it under **Requests**.
* With the header \`Idempotency-Key\` a request can be repeated safely when the answer was lost.

## Tolerant reading, exact answers

Requests may spell field names and words such as \`IDENTIFIED\` in any letter case, send integers as text (\`"12"\`), and send one value where an array is due. Create and batch add ignore fields that Roster does not know. Search, update and delete refuse them with 400. Answers have exactly the shape that is described here.

Contacts are searched, and segments are defined, with a filter language of groups and conditions; the description of contact search has every field and operation. What could widen an audience, or delete more than was meant, is never ignored: an unknown search field, operation, operator or key is refused with 400, and so are a field in two spellings with two values and a key that is given twice.

Text is Unicode; U+0000 and unpaired surrogates are refused. A body has up to 16 MiB where it changes contacts or records activities, 4 MiB in a search or a batch, and less elsewhere; it may be nested up to 32 levels deep.

## Errors

Every error is JSON: \`{request_id, code, status: "error", description, errors: [{code, field, message}]}\`, for exports \`{data: {status: "error", description, errors}, message, statusCode}\`, for batch add \`{message, status}\`, and for the activity of a person \`{status: "error", result, details}\`. \`errors\` lists every fault of the request, at most 50 (150 for exports), each with the path of its place, such as \`data.contacts[3].email\`. The codes are stable; \`docs/errors.md\` lists them.

## Headers of every response

* \`X-Request-Id\`: the identifier of the request in the log of the service, and the \`request_id\` of the body.
* \`Cache-Control: no-store\`: responses have personal data, so nothing may keep them. Only this description and its page can be cached.
* \`X-Content-Type-Options: nosniff\`.

The header \`Host\` of a request must name the service: the host of its public address, loopback, or a host that the operator allows. Other hosts get 421.

Responses of 4 KiB and more are compressed for clients that send \`Accept-Encoding: gzip\`; files are not. Web pages of the origins that the operator configures may call the service from a browser (CORS).

## Authentication

A 401 has the header \`WWW-Authenticate\`. When the credential came in the wrong place, such as \`Authorization: Bearer <API key>\` instead of the header \`api-key\`, its \`error_description\` and the description of the error name the right one. An address that sends 100 requests without a valid credential in a minute gets 429 for further ones; valid credentials still work.

## Rate limit

Each API key has a limit of requests a minute. The answers carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; beyond the limit the answer is 429 with \`Retry-After\`.
`;
