import type { Queries, Shapes } from './shapes.ts';
import type { Page } from './listing.ts';

/**
 * One operation of the interface, as the OpenAPI document has it under the same name.
 *
 * `repeat` says whether it may be sent again when nobody knows what became of it: `harmless` reads, or leaves the same behind however often it
 * is done; `with-key` is repeated under the same `Idempotency-Key`, which the client makes; `unsafe` is repeated only where the service says
 * that it did nothing (429).
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly credential: 'apiKey' | 'apiKeyParameter' | 'operatorToken';
  readonly query?: keyof Queries;
  readonly body?: keyof Shapes;
  /** Shape of the answer; without it and `page` there is none. */
  readonly answer?: keyof Shapes;
  /** Shape of one row, where the answer is a page of them. */
  readonly page?: keyof Shapes;
  readonly repeat: 'harmless' | 'with-key' | 'unsafe';
}

const v5 = { method: 'POST', credential: 'apiKey' } as const;
const write = { ...v5, repeat: 'with-key' } as const;
const read = { ...v5, repeat: 'harmless' } as const;

const operator = { credential: 'operatorToken' } as const;
const get = { ...operator, method: 'GET', repeat: 'harmless' } as const;
const make = { ...operator, method: 'POST', repeat: 'unsafe' } as const;
const change = { ...operator, method: 'PATCH', repeat: 'harmless' } as const;
const remove = { ...operator, method: 'DELETE', repeat: 'harmless' } as const;
const account = '/admin/v1/accounts/{account_id}';

/** Every operation of the interface, public and operator's, by its operationId; a test compares the table with docs/openapi.json. */
export const operations = {
  createContacts: { ...write, path: '/v5/contact/create', body: 'CreateContactsBody', answer: 'AcceptedAnswer' },
  updateContacts: { ...write, path: '/v5/contact/update', body: 'UpdateContactsBody', answer: 'AcceptedAnswer' },
  deleteContacts: { ...write, path: '/v5/contact/delete', body: 'DeleteContactsBody', answer: 'AcceptedAnswer' },
  searchContacts: { ...read, path: '/v5/contact/search', body: 'SearchContactsBody', answer: 'SearchAnswer' },
  searchAudience: { ...read, path: '/v5/contact/audience/search', body: 'SearchAudienceBody', answer: 'SearchAnswer' },
  createAttributes: {
    ...write,
    path: '/v5/client/attribute/create',
    body: 'CreateAttributesBody',
    answer: 'AcceptedAnswer',
  },
  searchAttributes: {
    ...read,
    path: '/v5/client/attribute/search',
    body: 'SearchAttributesBody',
    answer: 'SearchAttributesAnswer',
  },
  updateAttributes: {
    ...write,
    path: '/v5/client/attribute/update',
    body: 'UpdateAttributesBody',
    answer: 'UpdateAttributesAnswer',
  },
  deleteAttributes: {
    ...write,
    path: '/v5/client/attribute/delete',
    body: 'DeleteAttributesBody',
    answer: 'AcceptedAnswer',
  },
  getAttributeUsage: {
    ...read,
    path: '/v5/client/attribute/usage',
    body: 'AttributeUsageBody',
    answer: 'AttributeUsageAnswer',
  },
  exportAudience: { ...write, path: '/v4/audience/export', body: 'ExportAudienceBody', answer: 'ExportAcceptedAnswer' },
  getUserActivity: {
    method: 'POST',
    path: '/apiv2',
    credential: 'apiKeyParameter',
    body: 'UserActivityBody',
    answer: 'UserActivityAnswer',
    repeat: 'harmless',
  },
  batchAddContacts: { ...write, path: '/v3/contact/batchadd', body: 'BatchAddBody', answer: 'BatchAddAnswer' },

  createAccount: { ...make, path: '/admin/v1/accounts', body: 'CreateAccountBody', answer: 'CreatedAccount' },
  listAccounts: { ...get, path: '/admin/v1/accounts', query: 'PageQuery', page: 'Account' },
  getAccount: { ...get, path: account, answer: 'AccountDetail' },
  updateAccount: { ...change, path: account, body: 'UpdateAccountBody', answer: 'AccountDetail' },
  createApiKey: { ...make, path: `${account}/api-keys`, body: 'CreateApiKeyBody', answer: 'CreatedApiKey' },
  listApiKeys: { ...get, path: `${account}/api-keys`, query: 'PageQuery', page: 'ApiKey' },
  revokeApiKey: { ...remove, path: `${account}/api-keys/{api_key_id}` },
  listDeliveries: { ...get, path: `${account}/deliveries`, query: 'ListDeliveriesQuery', page: 'Delivery' },
  getDelivery: { ...get, path: `${account}/deliveries/{delivery_id}`, answer: 'DeliveryDetail' },
  replayDelivery: { ...make, path: `${account}/deliveries/{delivery_id}/replay`, answer: 'Delivery' },
  getSigningSecret: { ...get, path: `${account}/signing-secret`, answer: 'SigningSecret' },
  rotateSigningSecret: { ...make, path: `${account}/signing-secret/rotate`, answer: 'SigningSecret' },
  listAttributes: { ...get, path: `${account}/attributes`, query: 'PageQuery', page: 'OperatorAttribute' },
  getAttribute: { ...get, path: `${account}/attributes/{attribute_id}`, answer: 'OperatorAttribute' },
  indexAttribute: {
    ...change,
    path: `${account}/attributes/{attribute_id}`,
    body: 'UpdateOperatorAttributeBody',
    answer: 'OperatorAttribute',
  },
  createList: { ...make, path: `${account}/lists`, body: 'CreateListBody', answer: 'List' },
  listLists: { ...get, path: `${account}/lists`, query: 'PageQuery', page: 'List' },
  getList: { ...get, path: `${account}/lists/{audience_id}`, answer: 'List' },
  updateList: { ...change, path: `${account}/lists/{audience_id}`, body: 'UpdateListBody', answer: 'List' },
  deleteList: { ...remove, path: `${account}/lists/{audience_id}` },
  createSegment: { ...make, path: `${account}/segments`, body: 'CreateSegmentBody', answer: 'Segment' },
  listSegments: { ...get, path: `${account}/segments`, query: 'PageQuery', page: 'Segment' },
  getSegment: { ...get, path: `${account}/segments/{audience_id}`, answer: 'SegmentDetail' },
  updateSegment: { ...change, path: `${account}/segments/{audience_id}`, body: 'UpdateSegmentBody', answer: 'Segment' },
  deleteSegment: { ...remove, path: `${account}/segments/{audience_id}` },
  countSegment: { ...get, path: `${account}/segments/{audience_id}/count`, answer: 'SegmentCount' },
  listRequests: { ...get, path: `${account}/requests`, query: 'ListRequestsQuery', page: 'RequestSummary' },
  getRequest: { ...get, path: `${account}/requests/{request_id}`, query: 'GetRequestQuery', answer: 'RequestDetail' },
  listMails: { ...get, path: `${account}/mails`, query: 'ListMailsQuery', page: 'MailSummary' },
  getMail: { ...get, path: `${account}/mails/{mail_id}`, answer: 'MailDetail' },
  listExports: { ...get, path: `${account}/exports`, query: 'ListExportsQuery', page: 'Export' },
  getExport: { ...get, path: `${account}/exports/{request_id}`, answer: 'Export' },
  cancelExport: { ...make, path: `${account}/exports/{request_id}/cancel`, answer: 'Export' },
  createImport: { ...make, path: `${account}/imports`, body: 'CreateImportBody', answer: 'Import' },
  listImports: { ...get, path: `${account}/imports`, query: 'ListImportsQuery', page: 'Import' },
  getImport: { ...get, path: `${account}/imports/{import_id}`, answer: 'Import' },
  sendImportFile: {
    ...operator,
    method: 'PUT',
    repeat: 'harmless',
    path: `${account}/imports/{import_id}/file`,
    answer: 'Import',
  },
  getImportFailures: { ...get, path: `${account}/imports/{import_id}/failures` },
  cancelImport: { ...make, repeat: 'harmless', path: `${account}/imports/{import_id}/cancel`, answer: 'Import' },
  listAuditLog: { ...get, path: `${account}/audit-log`, query: 'PageQuery', page: 'AuditLogEntry' },
  createSignUp: { ...make, path: `${account}/sign-ups`, body: 'CreateSignUpBody', answer: 'SignUp' },
  blockContact: {
    ...make,
    repeat: 'harmless',
    path: `${account}/contacts/{contact_id}/block`,
    answer: 'ContactTypeAnswer',
  },
  unblockContact: {
    ...make,
    repeat: 'harmless',
    path: `${account}/contacts/{contact_id}/unblock`,
    answer: 'ContactTypeAnswer',
  },
  exportContact: { ...get, path: `${account}/contacts/{contact_id}/export`, answer: 'PersonExport' },
  eraseContact: {
    ...remove,
    path: `${account}/contacts/{contact_id}`,
    query: 'EraseContactQuery',
    answer: 'Erasure',
  },
  listErasures: { ...get, path: `${account}/erasures`, query: 'PageQuery', page: 'Erasure' },
  getErasure: { ...get, path: `${account}/erasures/{request_id}`, answer: 'Erasure' },
  getForgotten: { ...get, path: `${account}/forgotten`, answer: 'Forgotten' },
  undoForgotten: { ...make, path: `${account}/forgotten/undo`, body: 'RememberBody', answer: 'Remembered' },
  recordActivities: {
    ...make,
    path: `${account}/activities`,
    body: 'RecordActivitiesBody',
    answer: 'AcceptedAnswer',
  },
} as const satisfies Record<string, Operation>;

/** Name of an operation: its operationId. */
export type OperationId = keyof typeof operations;

type Places<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;

/** Values for the places of the path of an operation. */
export type PathOf<Id extends OperationId> = {
  readonly [Name in Places<(typeof operations)[Id]['path']>]: string | number;
};

/** Body of an operation. */
export type BodyOf<Id extends OperationId> = (typeof operations)[Id] extends { body: infer Name extends keyof Shapes }
  ? Shapes[Name]
  : undefined;

/** Query of an operation. */
export type QueryOf<Id extends OperationId> = (typeof operations)[Id] extends {
  query: infer Name extends keyof Queries;
}
  ? Queries[Name]
  : undefined;

/** Answer of an operation: nothing where it has none. */
export type AnswerOf<Id extends OperationId> = (typeof operations)[Id] extends { page: infer Name extends keyof Shapes }
  ? Page<Shapes[Name]>
  : (typeof operations)[Id] extends { answer: infer Name extends keyof Shapes }
    ? Shapes[Name]
    : void;
