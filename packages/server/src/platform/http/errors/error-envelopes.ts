import type { Fault } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import { asSentence, faultText } from '#platform/errors/api-error.ts';

/** The content of an error response, before a generation of the API shapes it. */
interface ErrorFacts {
  readonly requestId: string;
  readonly status: number;
  readonly description: string;
  readonly faults: readonly Fault[];
  /** The present state, for `precondition_failed`. */
  readonly current?: object | undefined;
}

/** Shapes the body of an error response. Each generation of the API has its own. */
export type ErrorEnvelope = (facts: ErrorFacts) => object;

/** Shapes the errors of V5 and of the operator API. */
export const v5Error: ErrorEnvelope = ({ requestId, status, description, faults, current }) => ({
  request_id: requestId,
  code: status,
  status: 'error',
  description,
  errors: faults,
  ...(current === undefined ? {} : { current }),
});

/** Shapes the errors of v4. There is no field for the request_id, so a 5xx has it in its text. */
export const v4Error: ErrorEnvelope = ({ requestId, status, description, faults }) => {
  const text = status >= 500 ? `${description} (request_id ${requestId})` : description;
  return { data: { status: 'error', description: text, errors: faults }, message: text, statusCode: status };
};

/** Shapes the errors of v3: one message. The request_id is in the message of a 5xx. */
export const v3Error: ErrorEnvelope = ({ requestId, status, description }) => ({
  message: status >= 500 ? `${description} (request_id ${requestId})` : description,
  status,
});

const apiv2Results: Readonly<Record<number, string>> = {
  401: 'Invalid API key',
  403: 'Missing scope',
  404: 'Not found',
  405: 'Method not allowed',
  413: 'Request too large',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

/** Shapes the errors of apiv2: two texts. The second text contains all faults. */
export const apiv2Error: ErrorEnvelope = ({ requestId, status, description, faults }) => {
  const text = faults.length > 1 ? faults.map((fault) => asSentence(faultText(fault))).join(' ') : description;
  return {
    status: 'error',
    result: apiv2Results[status] ?? 'Invalid request',
    details: status >= 500 ? `${text} (request_id ${requestId})` : text,
  };
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Shapes the errors of the route; default: by the path, see {@link envelopeOf}. */
    errorEnvelope?: ErrorEnvelope;
  }
}

/** When no route matches, the path tells the generation. */
const byPath: readonly (readonly [start: string, envelope: ErrorEnvelope])[] = [
  ['/v3/', v3Error],
  ['/v4/', v4Error],
  ['/apiv2', apiv2Error],
];

/** Returns the envelope of the route, or of the generation in the path; default V5. */
export function envelopeOf(request: FastifyRequest): ErrorEnvelope {
  // The router ignores repeated slashes.
  const path = `/${request.url.replace(/^\/+/, '')}`;
  const guess = byPath.find(([start]) => path.startsWith(start))?.[1] ?? v5Error;
  return request.routeOptions.config?.errorEnvelope ?? guess;
}
