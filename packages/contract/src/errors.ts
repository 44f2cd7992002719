/** One kind of error answer: its HTTP status and the sentence that a caller reads. */
export interface ApiErrorKind {
  readonly status: number;
  /** Text of `description`; `{name}` places are filled from the parameters of the error. */
  readonly description: string;
  /** What it means and what to do, for docs/errors.md and the OpenAPI description. */
  readonly doc: string;
}

/** Every error that the interfaces answer with, whatever shape each gives it (decisions §2, §5, §6, §9); `docs/errors.md` is generated from it. */
export const apiErrors = {
  malformed_request: {
    status: 400,
    description: 'The request is not well-formed: {reason}',
    doc: 'It is not HTTP, or its address is no valid URL, such as `/%zz`.',
  },
  invalid_json: {
    status: 400,
    description: 'The body is not valid JSON: {reason}',
    doc: 'The body cannot be read as JSON in UTF-8. Nothing was stored.',
  },
  invalid_request: {
    status: 400,
    description: 'The request is not valid; see errors',
    doc: 'The envelope has faults; each is listed in `errors` with its place. Nothing was stored.',
  },
  contact_exists: {
    status: 400,
    description: 'Contact already exists',
    doc: 'The account refuses to create contacts that exist (`reject_existing_contacts`); `errors` names them. Nothing of the request was stored.',
  },
  too_many_activities: {
    status: 400,
    description: 'The person has more than 50,000 activities on this channel in these days; ask for fewer days',
    doc: 'One answer has at most 50,000 activities. Ask for single days.',
  },
  answer_too_large: {
    status: 400,
    description:
      'The rows of this page have more than 16,777,216 characters together, the first {rows} of them less; ask for smaller pages (output.pagination.limit), or for fewer fields (output.fields)',
    doc: 'An answer has at most 16,777,216 characters of values. The page is not cut short, because a caller who counts pages would miss the rest.',
  },
  batch_api_key_blank: {
    status: 400,
    description: 'api key can not be blank in headers',
    doc: 'Batch add: the header `api-key` is missing or blank.',
  },
  batch_listid_invalid: {
    status: 400,
    description: 'listid should be of type integer',
    doc: 'Batch add: `listid` is missing or no JSON integer. Nothing was stored.',
  },
  batch_too_large: {
    status: 400,
    description: 'you have exceeded the batch limit of 1000',
    doc: 'Batch add: `data` has more than 1000 contacts. Nothing was stored.',
  },
  batch_primarykey_invalid: {
    status: 400,
    description: 'primary key is mandatory and should be string',
    doc: 'Batch add: `primarykey` is missing, blank or no string. Nothing was stored.',
  },
  batch_receivers_invalid: {
    status: 400,
    description: 'callbackurl or notifyemail is mandatory and should be string',
    doc: 'Batch add: `callbackurl` or `notifyemail` is missing, blank or no string; both are needed. Nothing was stored.',
  },
  batch_data_invalid: {
    status: 400,
    description: 'data should be of type array',
    doc: 'Batch add: `data` is missing or no array. Nothing was stored.',
  },
  batch_invalid: {
    status: 400,
    description: '{reason}',
    doc: 'Batch add: something else is wrong with the request; the message says what. Nothing was stored.',
  },
  batch_list_unknown: {
    status: 400,
    description: 'listid does not exist',
    doc: 'Batch add: the account has no list of this number. Nothing was stored.',
  },
  batch_primarykey_differs: {
    status: 400,
    description: 'primarykey does not match the primary key of the panel',
    doc: 'Batch add: `primarykey` is not the primary key of the account. Nothing was stored.',
  },
  batch_server_not_found: {
    status: 400,
    description: 'the service server not found',
    doc: 'Batch add: the database is away or restarting. Unless an answer with 200 was sent, nothing is certain: repeat with the same `Idempotency-Key`.',
  },
  batch_limit_reached: {
    status: 400,
    description: 'limit Reached',
    doc: 'Batch add: the account has sent as many batches today as it may (`daily_batch_limit`). It may send more from midnight in its time zone on. Nothing was stored.',
  },
  batch_api_key_invalid: {
    status: 401,
    description: 'invalid api key',
    doc: 'Batch add: the header `api-key` has no valid API key.',
  },
  invalid_api_key: {
    status: 401,
    description: 'The api-key header is missing, blank or not a valid API key',
    doc: 'Send the API key of the account in the header `api-key`.',
  },
  invalid_apikey: {
    status: 401,
    description: 'The parameter apikey is missing, blank or not a valid API key',
    doc: 'Send the API key of the account as `apikey`, in the query or in the body.',
  },
  apikey_lacks_scope: {
    status: 401,
    description: 'The API key lacks the scope {scope}',
    doc: 'Use a key that has the scope, or make one in the operator API.',
  },
  invalid_operator_token: {
    status: 401,
    description: 'The Authorization header is missing or not a valid operator token',
    doc: 'Send `Authorization: Bearer <operator token>`.',
  },
  missing_scope: {
    status: 403,
    description: 'The API key lacks the scope {scope}',
    doc: 'Use a key that has the scope, or make one in the operator API.',
  },
  not_found: {
    status: 404,
    description: 'There is no {what}',
    doc: 'The path, or the thing that it names, does not exist.',
  },
  method_not_allowed: {
    status: 405,
    description: 'The method {method} is not allowed here; allowed: {allow}',
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
    doc: 'Use a new key for a new request; repeat a request with exactly the same body.',
  },
  conflict: {
    status: 409,
    description: '{reason}',
    doc: 'The state of the thing does not allow the change; the description says why.',
  },
  file_expired: {
    status: 410,
    description: 'The file has expired and is deleted; ask for the export again',
    doc: 'The file of an export can be downloaded for 7 days.',
  },
  failures_expired: {
    status: 410,
    description: 'The file of failures has expired, or was erased with a person whom it named',
    doc: 'The file of failures of an import can be downloaded for `ROSTER_IMPORT_FAILURES_DAYS` days, unless a person whom it names is erased before.',
  },
  failures_missing: {
    status: 410,
    description: 'The rows that failed could not be written to a file; failure of the import says why',
    doc: 'An import whose store was full or whose file was lost has failures, but no file of them. Mend the cause, and import the same file again: rows that were applied are not changed by it.',
  },
  body_too_large: {
    status: 413,
    description: 'The body is larger than 16 MiB; send fewer items in a request',
    doc: 'Bodies have at most 16 MiB.',
  },
  parameters_too_large: {
    status: 413,
    description: 'The body is larger than 64 KiB; the parameters of this operation are short',
    doc: 'The body of this operation has at most 64 KiB.',
  },
  file_too_large: {
    status: 413,
    description: 'The file is larger than {megabytes} MiB; split it, or pack it with gzip',
    doc: 'Files of imports have at most as many MiB as `ROSTER_IMPORT_FILE_MB` says.',
  },
  unsupported_media_type: {
    status: 415,
    description: 'The Content-Type must be application/json',
    doc: 'Send JSON, with `Content-Type: application/json`.',
  },
  unsupported_content_encoding: {
    status: 415,
    description: 'The Content-Encoding of the body is not supported; send it uncompressed',
    doc: 'Activities and the files of imports may be packed with gzip (`Content-Encoding: gzip`). Every other body is read as it is sent: leave `Content-Encoding` out.',
  },
  expectation_failed: {
    status: 417,
    description: 'The header Expect asks for something that is not supported; leave it out',
    doc: 'The only expectation that is met is `Expect: 100-continue`.',
  },
  rate_limited: {
    status: 429,
    description: 'Too many requests; try again in {seconds} s',
    doc: 'The header `Retry-After` says when to try again; the `RateLimit-*` headers show the limit.',
  },
  too_many_searches: {
    status: 429,
    description: 'The account has as many searches running as it may have at the same time; try again in {seconds} s',
    doc: 'An account may run some searches at the same time (`ROSTER_SEARCHES_PER_ACCOUNT`); more wait for their turn, at most 5 s. Send fewer at a time, or narrow what takes long. The header `Retry-After` says when to try again.',
  },
  too_many_exports: {
    status: 429,
    description:
      'The account has {limit} exports that wait or run, as many as it may have; ask again when one of them has ended',
    doc: 'An account may have some exports at a time that have not ended (`ROSTER_EXPORTS_PER_ACCOUNT`), so that those of others need not wait for all of them. Nothing was stored. The callback or the mail of one that has ended says that there is room again; until then the header `Retry-After` says when to try again.',
  },
  too_many_large_bodies: {
    status: 429,
    description:
      'The account has as many requests with large bodies under way as it may have at the same time; try again in {seconds} s',
    doc: 'Some requests with a body of more than 1 MiB, or one packed with gzip that may unpack to as much (more than 1016 bytes), are worked on at the same time (`ROSTER_LARGE_BODIES`); more wait for their turn, at most 15 s. Send them one after the other, or in smaller parts. The header `Retry-After` says when to try again.',
  },
  headers_too_large: {
    status: 431,
    description: 'The address and the headers of the request are larger than 16 KiB',
    doc: 'The first line and the headers of a request have at most 16 KiB together.',
  },
  internal: {
    status: 500,
    description: 'Something went wrong here; the request_id finds it in the log',
    doc: 'A defect of the service. The log has the cause under the `request_id`.',
  },
  unavailable: {
    status: 503,
    description: 'The database cannot be reached; try again in a moment',
    doc: 'The database is away or restarting. Unless an answer with 200 was sent, nothing is certain: repeat with the same `Idempotency-Key`.',
  },
  overloaded: {
    status: 503,
    description: 'The service is busy with other requests; try again in {seconds} s',
    doc: 'What the request needs was in use by others for too long. Nothing was stored. The header `Retry-After` says when to try again.',
  },
  pipeline_busy: {
    status: 503,
    description:
      'The requests that were accepted before are still being applied; nothing was changed, try again in a moment',
    doc: 'What answers with its result (an attribute update, the erasure of a contact, …) takes its turn behind the requests accepted before it, and was withdrawn because that takes longer than 30 s; or too many of the account wait for theirs.',
  },
  search_timeout: {
    status: 503,
    description:
      'The search took longer than {seconds} s and was cancelled; narrow it with an equality on a list, an attribute or an identifier, or leave out get_count',
    doc: 'A search may take 15 s. Conditions that compare for equality are served by an index; so are ranges, beginnings of texts and orders of an attribute that an operator has had indexed.',
  },
  storage_full: {
    status: 507,
    description: 'There is no space left for the file; nothing of it was kept',
    doc: 'The store of files is full. An operator has to free some space; then send the file again.',
  },
} as const satisfies Record<string, ApiErrorKind>;

/** Name of an error answer. */
export type ApiErrorCode = keyof typeof apiErrors;

/** Why an item of an accepted request was not applied, or not wholly (decisions, golden rule 4); shown to operators. */
export interface FailureKind {
  /** True when the rest of the item was applied. */
  readonly warning: boolean;
  readonly message: string;
}

/** Every reason code of a failure; `docs/errors.md` is generated from it. Messages never contain values of the contact. */
export const failureKinds = {
  identity_invalid: {
    warning: false,
    message: 'The identity does not have the form of the primary key of the account.',
  },
  identity_missing: { warning: false, message: 'The contact has no value of the primary key.' },
  identity_mismatch: {
    warning: false,
    message: 'The identity and the value of the primary key differ, or the primary key would be cleared.',
  },
  identity_taken: { warning: false, message: 'Another contact has this identity.' },
  identity_ignored: {
    warning: true,
    message: 'An anonymous contact has no identity; the value of the primary key was left out.',
  },
  contact_not_found: { warning: false, message: 'No contact has this identifier.' },
  contact_ambiguous: {
    warning: false,
    message: 'Several contacts have this email or mobile; name one by contact_id or identity.',
  },
  contact_exists: { warning: false, message: 'The contact exists, and is not to be created again.' },
  contact_invalid: { warning: false, message: 'The contact does not have the form that it needs.' },
  too_many_attributes: { warning: false, message: 'The contact has more than 20 attributes.' },
  contact_forgotten: {
    warning: false,
    message:
      'The person was erased from the account and is not to come back (reject_forgotten_contacts); what the item says is not kept either.',
  },
  contact_type_refused: { warning: false, message: 'A contact cannot move from its type to the given one.' },
  attribute_unknown: { warning: true, message: 'The account has no attribute of this name; the value was left out.' },
  attribute_type_mismatch: {
    warning: true,
    message: 'The value does not fit the data type of the attribute; it was left out.',
  },
  attribute_limit: {
    warning: true,
    message: 'The account has 500 attributes, so this one was not created; the value was left out.',
  },
  contact_too_large: {
    warning: true,
    message: 'The values of the contact would have more than 1,048,576 characters together; the value was left out.',
  },
  attribute_exists: { warning: false, message: 'The account has an attribute of this name already.' },
  attribute_not_found: { warning: false, message: 'The account has no attribute of this name or number.' },
  attribute_system: { warning: false, message: 'A system attribute can neither be deleted nor renamed, nor mapped.' },
  attribute_in_use: { warning: false, message: 'Something uses the attribute; change or delete what uses it first.' },
  attribute_repeated: { warning: false, message: 'The request names the attribute twice.' },
  attribute_count: { warning: false, message: 'The account has 500 attributes, which is the most that it can have.' },
  attribute_mapping: { warning: false, message: 'The attribute cannot be mapped to this system attribute.' },
  attribute_data_type: {
    warning: false,
    message: 'The data type of the attribute cannot be changed to the given one.',
  },
  attribute_default: { warning: false, message: 'The default value does not fit the data type of the attribute.' },
  attribute_defaults: {
    warning: false,
    message: 'The default values of the account would have more than 131,072 characters together.',
  },
  attribute_masked: {
    warning: false,
    message: 'The attribute is masked; only an API key with the scope unmasked can hide its values less.',
  },
  not_applied: {
    warning: false,
    message: 'Another item of the request was refused, and the request is applied as a whole or not at all.',
  },
  list_unknown: { warning: true, message: 'The account has no list with this audience_id; it was left out.' },
  activity_in_future: {
    warning: false,
    message: 'The activity lies more than a day after the request; look at the clock of the sender.',
  },
  activity_too_old: {
    warning: false,
    message: 'The activity is older than the activities that the account keeps (activity_retention_months).',
  },
  withdrawn: {
    warning: false,
    message: 'The requests before it took too long; the caller was told to try again, and nothing was changed.',
  },
  given_up: {
    warning: false,
    message:
      'The request was given up and nothing of it applied: several workers ended while they applied it and nothing else. Send it again in smaller parts.',
  },
  payload_unreadable: { warning: false, message: 'The stored request could not be read.' },
  internal: { warning: false, message: 'The item could not be stored; the log of the worker says why.' },
} as const satisfies Record<string, FailureKind>;

/** A reason code of a failure. */
export type FailureCode = keyof typeof failureKinds;
