import type { ApiErrorCode } from '@roster/contract';
import type { MediaType } from './document.ts';

/** Bodies for the documentation, by a short name. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** A callback: where it goes and what it says. */
export interface CallbackDocs {
  /** Runtime expression of OpenAPI for its address, such as `{$request.body#/callbackurl}`. */
  readonly address: string;
  readonly description: string;
  /** `$id` of the shape of its body. */
  readonly shape: string;
}

/** What the description of an operation shows besides the shapes of its schema. */
export interface OperationDocs {
  /** Request bodies. */
  readonly examples?: Examples | undefined;
  /** What bodies of other media types than JSON look like, by media type. */
  readonly otherBodies?: Readonly<Record<string, MediaType>> | undefined;
  /** Bodies that are no JSON, by media type. */
  readonly rawBodies?: Readonly<Record<string, MediaType>> | undefined;
  /** Bodies of success that are no JSON, by media type. */
  readonly answerBodies?: Readonly<Record<string, MediaType>> | undefined;
  /** Bodies of success; by default one is made from the examples in the shape of the answer. */
  readonly answerExamples?: Examples | undefined;
  /** The body has a filter of contacts: the description explains the language of filters. */
  readonly filtersContacts?: boolean | undefined;
  /** The callback that the operation sends when its work has ended. */
  readonly callback?: CallbackDocs | undefined;
  /** Every error that the operation answers with. */
  readonly errors: readonly ApiErrorCode[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the OpenAPI description. */
    docs?: OperationDocs;
  }
}
