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
    description:
      'Personal access token of a person (`rp_…`), or the operator token: `ROSTER_ADMIN_TOKEN`, or the one in the file `admin-token` of the data directory. Operations of an account also take an API key with the needed scope, in the header `api-key`.',
  },
} as const;

/** Describes Roster and the rules that all operations share (Markdown). */
export const description = `Roster is a self-hosted contact and audience store.

## Interfaces

* **Contacts** (\`/v5/…\`): for programs that write and search the contacts of one account. POST with a JSON body. Send the API key of the account in the header \`api-key\`.
* **Batch add** (\`POST /v3/contact/batchadd\`): the older way to add contacts to a list. Send the same API key.
* **Blacklisting** (\`POST /v3/contact/blacklist\`): the older way to opt contacts out. Send the same API key.
* **Exports** (\`POST /v4/audience/export\`): the contacts of a list or segment as a file. Send the same API key.
* **Audiences** (\`POST /v4/audience/list\`): the older way to list lists and segments. Send the same API key.
* **Activity** (\`POST /apiv2\`): what was sent to one person and what the person did. Send the same API key as the parameter \`apikey\`.
* **Operators** (\`/admin/v1/…\`): accounts, keys, audiences, and the results of requests. Send the operator token or a personal access token as \`Authorization: Bearer <token>\`, or an API key that has the scope of the operation as \`api-key\`. Each operation names the permission that it needs.

## Asynchronous operations

Create, update and delete of contacts return 200 once the request is stored durably. The request is applied exactly once, usually within a second. The requests of an account are applied in the order of acceptance.

* The shape of the request is checked before the response. 400 means that no part of the request was stored.
* Everything that depends on the data of the account is checked when the request is applied: whether an attribute or list exists, and whether a value has the right type. One bad contact does not affect the others. Its failure is recorded with its index and a stable code.
* With the header \`Prefer: wait=N\`, the response waits up to N seconds (at most 30) until the request is applied. Then it has the additional member \`outcome\`. Otherwise, get the result later with \`GET /v5/requests/{request_id}\`.
* With the header \`Idempotency-Key\`, you can safely repeat a request when its response was lost.

## Tolerant requests, exact responses

Requests may use any letter case in field names and in words such as \`IDENTIFIED\`. They may send integers as text (\`"12"\`), and one value instead of an array. Create and batch add ignore unknown fields. Search, update and delete refuse them with 400. Responses have exactly the described shape.

Searches and segments use a filter language of groups and conditions. The description of contact search lists every field and operation. Roster never ignores anything that could widen an audience or delete more than was meant. It refuses with 400: an unknown search field, operation, operator or key, a key that occurs twice, and a field in two spellings with different values.

Text is Unicode. U+0000 and unpaired surrogates are refused. A body has at most 16 MiB where it changes contacts or records activities, 4 MiB in a search or a batch, and less in other operations. It may be nested up to 32 levels deep.

## Errors

Every error is JSON: \`{request_id, code, status: "error", description, errors: [{code, field, message}]}\`. v4 uses \`{data: {status: "error", description, errors}, message, statusCode}\`, v3 uses \`{message, status}\`, and the activity of a person uses \`{status: "error", result, details}\`. \`errors\` lists every fault of the request, at most 50 (150 for exports). Each fault has the path of its place, such as \`data.contacts[3].email\`. The codes are stable; \`docs/errors.md\` lists them.

## Headers of every response

* \`X-Request-Id\`: the identifier of the request in the log of the service. It is also the \`request_id\` of the body.
* \`Cache-Control: no-store\`: responses contain personal data and must not be cached. Only the console, the documentation and this description can be cached, because they have no data of accounts.
* \`X-Content-Type-Options: nosniff\`.

The header \`Host\` of a request must name the service: the host of its public address, loopback, or a host that the operator allows. Requests for other hosts get 421.

Responses of 4 KiB and more are compressed for clients that send \`Accept-Encoding: gzip\`. Files are not compressed. Web pages of the origins that the operator configures may call the service from a browser (CORS).

## Authentication

A 401 has the header \`WWW-Authenticate\`. When the credential came in the wrong place, such as \`Authorization: Bearer <API key>\` instead of the header \`api-key\`, the right place is in its \`error_description\` and in the description of the error. An address that sends 100 requests without a valid credential in a minute gets 429 for more such requests. Valid credentials still work.

## Rate limit

Each API key has a limit of requests in a minute. Responses contain \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. Beyond the limit, the response is 429 with \`Retry-After\`.
`;
