/** One kind of error: its HTTP status and the sentence that the caller reads. */
export interface ApiErrorKind {
  readonly status: number;
  /** The text of `description`. A parameter of the error replaces each `{name}`. */
  readonly description: string;
  /** The meaning and the remedy, for docs/errors.md and the OpenAPI document. */
  readonly doc: string;
}

/** Every error of every generation of the API. `docs/errors.md` is generated from this table. */
export const apiErrors = {
  malformed_request: {
    status: 400,
    description: 'The request is not well-formed: {reason}',
    doc: 'The request is not valid HTTP, or its address is not a valid URL, such as `/%zz`.',
  },
  invalid_json: {
    status: 400,
    description: 'The body is not valid JSON: {reason}',
    doc: 'The body must be JSON in UTF-8. Nothing was stored.',
  },
  body_too_deep: {
    status: 400,
    description: 'The body is nested more than {limit} levels deep',
    doc: 'Objects and arrays can be nested up to 32 levels deep, in an export up to 110.',
  },
  invalid_request: {
    status: 400,
    description: '{fault}',
    doc: 'The body, the query or a header has faults. `description` begins with the first fault. `errors` lists every fault with its place. Nothing was stored.',
  },
  contact_exists: {
    status: 400,
    description: 'Contact already exists',
    doc: 'The account does not accept contacts that exist already (`reject_existing_contacts`). `errors` lists them. Nothing was stored.',
  },
  too_many_activities: {
    status: 400,
    description: 'The person has more than 50,000 activities on this channel in these days. Ask for fewer days.',
    doc: 'One answer contains up to 50,000 activities. Ask for one day at a time.',
  },
  answer_too_large: {
    status: 400,
    description:
      'The values of this page have more than 16,777,216 characters. The first {rows} rows fit. Ask for smaller pages (output.pagination.limit) or fewer fields (output.fields).',
    doc: 'An answer contains up to 16,777,216 characters of values. A longer page is refused, not cut: a caller that counts pages would miss rows.',
  },
  batch_api_key_blank: {
    status: 400,
    description: 'api key can not be blank in headers',
    doc: 'v3: the header `api-key` is missing or blank.',
  },
  batch_listid_invalid: {
    status: 400,
    description: 'listid should be of type integer',
    doc: 'Batch add: `listid` is missing or is not a JSON integer. Nothing was stored.',
  },
  batch_too_large: {
    status: 400,
    description: 'you have exceeded the batch limit of 1000',
    doc: 'Batch add: `data` has more than 1000 contacts. Nothing was stored.',
  },
  batch_primarykey_invalid: {
    status: 400,
    description: 'primary key is mandatory and should be string',
    doc: 'Batch add: `primarykey` is missing, blank or not a string. Nothing was stored.',
  },
  batch_receivers_invalid: {
    status: 400,
    description: 'callbackurl or notifyemail is mandatory and should be string',
    doc: 'Batch add: `callbackurl` or `notifyemail` is missing, blank or not a string. Both are required. Nothing was stored.',
  },
  batch_data_invalid: {
    status: 400,
    description: 'data should be of type array',
    doc: 'Batch add: `data` is missing or is not an array. Nothing was stored.',
  },
  batch_invalid: {
    status: 400,
    description: '{reason}',
    doc: 'v3: the request has another fault. The message says what is wrong. Nothing was stored.',
  },
  batch_list_unknown: {
    status: 400,
    description: 'listid does not exist',
    doc: 'Batch add: the account has no list with this number. Nothing was stored.',
  },
  batch_primarykey_differs: {
    status: 400,
    description: 'primarykey does not match the primary key of the panel',
    doc: 'Batch add: `primarykey` is not the primary key of the account. Nothing was stored.',
  },
  batch_server_not_found: {
    status: 400,
    description: 'the service server not found',
    doc: 'v3: the database cannot be reached, or did not respond within 15 s. The outcome is unknown unless you received a 200. Repeat the request with the same `Idempotency-Key`.',
  },
  batch_limit_reached: {
    status: 400,
    description: 'limit Reached',
    doc: 'Batch add: the account has reached its number of batches for today (`daily_batch_limit`). The count starts again at midnight in the time zone of the account. Nothing was stored.',
  },
  batch_api_key_invalid: {
    status: 401,
    description: 'invalid api key',
    doc: 'v3: the header `api-key` is not a valid API key.',
  },
  invalid_api_key: {
    status: 401,
    description: 'The api-key header is missing, blank or not a valid API key{hint}',
    doc: 'Send the API key of the account in the header `api-key`. If the request has the key in another place, the description and the header `WWW-Authenticate` say so.',
  },
  invalid_apikey: {
    status: 401,
    description: 'The parameter apikey is missing, blank or not a valid API key{hint}',
    doc: 'Send the API key of the account as `apikey`, in the query or in the body.',
  },
  sign_in_failed: {
    status: 401,
    description: 'The sign-in failed. Check what you entered.',
    doc: 'The e-mail address, the password, the code or the passkey is wrong, or the user is disabled. The answer is the same in all these cases, so that it does not tell which addresses exist.',
  },
  confirmation_required: {
    status: 403,
    description: 'Confirm who you are first: enter your password, or sign in again.',
    doc: 'Changes of passwords, second factors, passkeys and tokens need a sign-in within the last ten minutes. Send the password to `POST /admin/v1/me/confirmation`, or sign in again. `errors` has an entry with this code.',
  },
  confirmation_failed: {
    status: 403,
    description: 'The password, the code or the passkey is wrong.',
    doc: 'The service could not confirm who you are. The session continues. Each code works once.',
  },
  session_required: {
    status: 403,
    description: 'A personal access token cannot do this. Sign in instead.',
    doc: 'Passwords, second factors, passkeys, sessions and tokens can be changed only in a session, not with a personal access token.',
  },
  apikey_lacks_scope: {
    status: 403,
    description: 'The API key does not have the scope {scope}',
    doc: 'Use an API key that has the scope. An operator can create one.',
  },
  invalid_operator_token: {
    status: 401,
    description: 'The request has no valid credential for the operator API{hint}',
    doc: 'Send `Authorization: Bearer <token>` with the operator token or a personal access token, or the header `api-key` with an API key that has the scope, or sign in.',
  },
  missing_permission: {
    status: 403,
    description: 'The request needs the permission {permission}, which the caller does not have{place}',
    doc: 'Use a credential with the permission. An owner or admin of the account can change the role of a member.',
  },
  cross_site_request: {
    status: 403,
    description:
      'The request did not come from a page of this service. Open the console at its own address, and try again. A program must send a token instead of a cookie.',
    doc: 'This prevents that a page of another web site acts in the name of a person who is signed in. If the console itself gets this error behind a proxy, set `ROSTER_PUBLIC_URL` to the address in the browser. Programs send a token or an API key, and no cookie.',
  },
  missing_scope: {
    status: 403,
    description: 'The caller does not have the scope {scope}',
    doc: 'Use an API key that has the scope. An operator can create one. People ask an owner of the account for the right.',
  },
  not_found: {
    status: 404,
    description: 'There is no {what}',
    doc: 'The path does not exist, or it names something that does not exist.',
  },
  method_not_allowed: {
    status: 405,
    description: 'This path does not accept {method}. It accepts {allow}.',
    doc: 'The header `Allow` lists the methods of this path.',
  },
  request_timeout: {
    status: 408,
    description: 'The request took too long to arrive',
    doc: 'A request must arrive within two minutes.',
  },
  idempotency_conflict: {
    status: 409,
    description: 'The Idempotency-Key was already used with another body',
    doc: 'Use a new key for a new request. To repeat a request, send exactly the same body.',
  },
  conflict: {
    status: 409,
    description: '{reason}',
    doc: 'The current state does not allow this change. The description says why.',
  },
  other_person_invited: {
    status: 409,
    description:
      'This invitation is for another e-mail address than the one that you signed in with. Sign out, then open the link again.',
    doc: 'Only the person with the invited address can accept an invitation. Sign out, then sign in with the invited address, or create a new user with it.',
  },
  bulk_count_changed: {
    status: 409,
    description:
      '{count} contacts match now, but {expected} were expected. Nothing was changed. Confirm the new number.',
    doc: 'A bulk change names the number of contacts that a person has confirmed. The number of matching contacts is another one now. Ask the person again with the current number. For `delete` and `erase`, the number must be exact. For other actions, it may differ by 1 percent.',
  },
  bulk_too_many_erasures: {
    status: 409,
    description: '{count} contacts match, but one bulk change can erase up to {limit}. Narrow the filter.',
    doc: 'Each erasure searches all stored requests for traces of the person. A bulk change can erase up to 10,000 people. Narrow the filter, and create several bulk changes.',
  },
  sign_in_expired: {
    status: 410,
    description: 'The sign-in took longer than ten minutes, or was already completed. Start again.',
    doc: 'The second step of a sign-in must follow the first step within ten minutes, in the same browser. Each step works once.',
  },
  events_expired: {
    status: 410,
    description: 'Events up to position {position} are deleted. Read from there, and compare your data.',
    doc: 'The events after the position in `after` are older than the retention time of the account (`event_retention_days`). Some of them are deleted. Continue after the position that the message names, and export the contacts once to get the changes that you missed.',
  },
  invalid_link: {
    status: 410,
    description:
      'The link is not valid. It was used before, it has expired, a newer link replaced it, or it was copied incompletely.',
    doc: 'Links for set-up, invitations and new passwords work once, and only for a limited time. Ask for a new link.',
  },
  file_expired: {
    status: 410,
    description: 'The file has expired and was deleted. Request the export again.',
    doc: 'The file of an export can be downloaded for 7 days.',
  },
  failures_expired: {
    status: 410,
    description: 'The file of failures has expired, or a person in it was erased',
    doc: 'The failures of an import can be downloaded for `ROSTER_IMPORT_FAILURES_DAYS` days. If a person in the file is erased, the file is deleted earlier.',
  },
  failures_missing: {
    status: 410,
    description: 'The failed rows could not be written to a file. The field failure of the import says why.',
    doc: 'The file store was full or has lost the file. Fix the cause, then import the same file again: rows that were applied do not change.',
  },
  precondition_failed: {
    status: 412,
    description: '{what} has changed since you read it. Nothing was changed.',
    doc: 'The header `If-Match` has the version that you read, and another one is current now. `current` in the answer is the present state, and the header `ETag` its version. Merge your change into it, and send it again with that version.',
  },
  body_too_large: {
    status: 413,
    description: 'The body is larger than {limit}. Send fewer items in a request.',
    doc: 'A body that changes contacts or records activities can have up to 16 MiB, a batch add or a search 4 MiB. Other operations accept less. The description states the limit.',
  },
  body_too_complex: {
    status: 413,
    description: 'The body has more than {limit}. Send fewer items in a request.',
    doc: 'The body has more values, or more different keys, than any valid request of this operation. It is refused before it is parsed.',
  },
  parameters_too_large: {
    status: 413,
    description: 'The body is larger than 16 KiB. Send only the parameters of this operation.',
    doc: 'The body of this operation can have up to 16 KiB.',
  },
  file_too_large: {
    status: 413,
    description: 'The file is larger than {megabytes} MiB. Split it, or compress it with gzip.',
    doc: 'The setting `ROSTER_IMPORT_FILE_MB` limits the files of imports.',
  },
  unsupported_media_type: {
    status: 415,
    description: 'The Content-Type must be application/json',
    doc: 'Send JSON with `Content-Type: application/json`.',
  },
  unsupported_content_encoding: {
    status: 415,
    description: 'The Content-Encoding of the body is not supported. Send the body uncompressed.',
    doc: 'Only activities and the files of imports can be compressed, with `Content-Encoding: gzip`.',
  },
  expectation_failed: {
    status: 417,
    description: 'The header Expect is not supported. Leave it out.',
    doc: 'The only supported expectation is `Expect: 100-continue`.',
  },
  unknown_host: {
    status: 421,
    description:
      'The service is not configured for the host {host}. The operator can allow it with ROSTER_PUBLIC_URL or ROSTER_ALLOWED_HOSTS.',
    doc: 'The header `Host` names a host that is not this service. Use the address that the operator gave you. Operators allow a host with `ROSTER_PUBLIC_URL` (the URL that clients use) or `ROSTER_ALLOWED_HOSTS` (more host names).',
  },
  rate_limited: {
    status: 429,
    description: 'Too many requests. Try again in {seconds} s.',
    doc: 'The header `Retry-After` says when to try again. The `RateLimit-*` headers show the limit.',
  },
  too_many_failed_authentications: {
    status: 429,
    description: 'Too many requests from this address had no valid credential. Try again in {seconds} s.',
    doc: 'An IP address can send 100 requests without a valid API key or operator token in a minute. Further ones get this error. Requests with a valid credential still work. The header `Retry-After` says when the minute ends. Behind a proxy, set `ROSTER_TRUST_PROXY`. Otherwise all clients share the address of the proxy.',
  },
  too_many_sign_ins: {
    status: 429,
    description: 'Too many sign-ins failed. Try again in {seconds} s.',
    doc: 'After several failed sign-ins, an e-mail address or an IP address must wait. The limit is the same for addresses that do not exist. The header `Retry-After` says when to try again. A new password by a link, a passkey and single sign-on still work.',
  },
  too_many_searches: {
    status: 429,
    description: 'The account is running its maximum number of searches. Try again in {seconds} s.',
    doc: 'An account can run `ROSTER_SEARCHES_PER_ACCOUNT` searches at the same time. Further searches wait up to 5 s. Send fewer at the same time, or narrow the slow ones. The header `Retry-After` says when to try again.',
  },
  too_many_exports: {
    status: 429,
    description:
      'The account has {limit} unfinished exports, which is the maximum. Try again when one of them has ended.',
    doc: 'An account can have `ROSTER_EXPORTS_PER_ACCOUNT` unfinished exports, so that one account does not delay the others. Nothing was stored. Wait for the callback or mail of an earlier export, or for the time in `Retry-After`.',
  },
  too_many_event_streams: {
    status: 429,
    description: 'At most {limit} event streams can be open at the same time. Close one of them',
    doc: 'Close an event stream, or ask for the running work from time to time instead.',
  },
  too_many_large_bodies: {
    status: 429,
    description: 'The account is sending its maximum number of large bodies. Try again in {seconds} s.',
    doc: 'The service reads `ROSTER_LARGE_BODIES` large bodies at the same time. A body is large if it has more than 1 MiB, or more than 1016 bytes of gzip. An account can also send 8 files of imports at the same time. Further ones wait up to 15 s. Send them one after the other, or send smaller ones. The header `Retry-After` says when to try again.',
  },
  too_many_requests_in_flight: {
    status: 429,
    description:
      'The account has too many open requests that change contacts. Use fewer connections, or try again in {seconds} s.',
    doc: 'An API process accepts 32 requests of an account that change contacts at the same time. Up to 1,000 more wait, for up to 5 s. Nothing was stored. The header `Retry-After` says when to try again.',
  },
  headers_too_large: {
    status: 431,
    description: 'The address and the headers of the request are larger than 16 KiB',
    doc: 'The first line and the headers of a request can have up to 16 KiB together.',
  },
  internal: {
    status: 500,
    description: 'An internal error occurred. Search the log for the request_id.',
    doc: 'This is a defect of the service. The log contains the cause under the `request_id`.',
  },
  unavailable: {
    status: 503,
    description: 'The database cannot be reached. Try again in a moment.',
    doc: 'The database is stopped or restarting, or cannot be used. The outcome is unknown unless you received a 200. Repeat the request with the same `Idempotency-Key`.',
  },
  database_full: {
    status: 503,
    description: 'The disk of the database is full. An operator must free some space. Then repeat the request.',
    doc: 'PostgreSQL refuses to write. Requests that were accepted before wait, and are applied when there is space. The outcome is unknown unless you received a 200. Repeat the request with the same `Idempotency-Key`.',
  },
  account_unavailable: {
    status: 503,
    description:
      'The database server with the data of this account cannot be reached. Other accounts may still work. Try again in a moment.',
    doc: 'The database is a cluster, and the node with the data of the account is stopped, restarting or does not respond. Accounts on other nodes are served. Accepted requests of the account wait, and are applied when the node is back. The outcome of this request is unknown if it was already sent to the node. Repeat it with the same `Idempotency-Key` after the time in `Retry-After`. `roster doctor` names the node.',
  },
  overloaded: {
    status: 503,
    description: 'The service is busy with other requests. Try again in {seconds} s.',
    doc: 'Other requests used the needed resources, such as database connections, for too long. Nothing was stored. The header `Retry-After` says when to try again.',
  },
  timed_out: {
    status: 503,
    description: 'The request took longer than {seconds} s. It may still take effect. Try again in a moment.',
    doc: 'The database is paused or overloaded, or another program locks its tables. An asynchronous request can take 15 s until it is accepted. Every other request can take 45 s. The outcome is unknown. Repeat the request with the same `Idempotency-Key` after the time in `Retry-After`.',
  },
  pipeline_busy: {
    status: 503,
    description: 'Earlier requests are still being applied. Nothing was changed. Try again in a moment.',
    doc: 'Some operations, such as an attribute update or the erasure of a contact, wait for the requests that were accepted before. This one was withdrawn after 30 s, or too many of them were waiting.',
  },
  search_timeout: {
    status: 503,
    description:
      'The search took longer than {seconds} s and was cancelled. Narrow it with an equals condition on a list, an attribute or an identifier, or leave out get_count.',
    doc: 'A search can take 15 s. Conditions with `equals` are fast. Ranges, `contains` and sorting are fast for attributes that an operator has indexed.',
  },
  storage_unavailable: {
    status: 503,
    description: 'The file store cannot be used. Try again in a moment.',
    doc: 'The directory or the bucket for the files of exports and imports is missing, refuses access or does not respond. The database is not affected. If the error remains, an operator can find the reason with `roster doctor`.',
  },
  storage_quota: {
    status: 507,
    description:
      'The account can store {limit} MiB of files, and stores {used} MiB. There is no room for the file. Wait until older files expire, or cancel imports that have not ended. An operator can change the limit with ROSTER_FILES_PER_ACCOUNT_MB.',
    doc: 'Files of unfinished imports, files of failures, and finished exports count. The file was not stored. `stored_files` of the account shows what is used.',
  },
  storage_full: {
    status: 507,
    description: 'The file store has no space left. The file was not stored.',
    doc: 'An operator must free some space. Then send the file again. The last 5 % of the disk, at most 1 GiB, are only for the database.',
  },
} as const satisfies Record<string, ApiErrorKind>;

/** Code of an error. */
export type ApiErrorCode = keyof typeof apiErrors;
