import type { ApiErrorCode } from '@roster/contract';

/** Bodies for the documentation, by a short name. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** What the description of an operation shows besides the shapes of its schema. */
export interface OperationDocs {
  /** Request bodies. */
  readonly examples?: Examples | undefined;
  /** Bodies of success; by default one is made from the examples in the shape of the answer. */
  readonly answerExamples?: Examples | undefined;
  /** Every error that the operation answers with. */
  readonly errors: readonly ApiErrorCode[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the OpenAPI description. */
    docs?: OperationDocs;
  }
}
