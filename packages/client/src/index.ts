export { createClient } from './client.ts';
export { createOperatorClient } from './operator-client.ts';
export { RosterError } from './transport/roster-error.ts';
export { Listing } from './wire/listing.ts';
export { operations } from './wire/operation-table.ts';
export { defaultRetries } from './transport/retry.ts';
export type { Client, ClientOptions, PublicOperationId } from './client.ts';
export type { OperatorClient, OperatorClientOptions, OperatorOperationId } from './operator-client.ts';
export type { OwnUser } from './people/own-user.ts';
export type { SignIn } from './people/sign-in.ts';
export type { Users } from './people/users.ts';
export type { AccountOperator } from './account-operator.ts';
export type { ListOptions, OperatorListing } from './transport/list-rows.ts';
export type { CallArguments, CallInput, CallOptions, ConnectionOptions } from './transport/connection.ts';
export type { Accepted, BatchOptions, Items } from './batches.ts';
export type {
  AudienceSearch,
  ContactDeletion,
  ContactFields,
  ContactPage,
  ContactRow,
  ContactSearch,
  ContactUpdate,
  ContactValue,
  Contacts,
  NewContact,
} from './contacts.ts';
export type { AcceptOptions, AttributeChange, AttributeReference, Attributes, NewAttribute } from './attributes.ts';
export type { FailureOptions, GetRequestOptions, Requests } from './requests.ts';
export type { NewActivity } from './activities.ts';
export type { FileContent, FileSource, SendFileOptions } from './account/import-file.ts';
export type { ExportFile } from './account/export-file.ts';
export type { ChangeOptions } from './account/export-schedules.ts';
export type { Page, PageOf } from './wire/listing.ts';
export type { AnswerOf, BodyOf, Operation, OperationId, PathOf, QueryOf } from './wire/operations.ts';
export type { Retries } from './transport/retry.ts';
export type { AcceptedBatch, FailedBatch, RosterErrorCode } from './transport/roster-error.ts';
export type * from './wire/shapes.ts';
export type { WaitOptions } from './transport/waiting.ts';
