import type { Fault } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import { asSentence, faultText } from '#platform/errors/api-error.ts';

/** What every error answer is made from, whatever generation of the interface shapes it. */
interface ErrorFacts {
  readonly requestId: string;
  readonly status: number;
  readonly description: string;
  readonly faults: readonly Fault[];
}

/** Shapes the body of an error answer; each API generation has one. */
export type ErrorEnvelope = (facts: ErrorFacts) => object;

/** The error shape of V5 and of the operator API. */
export const v5Error: ErrorEnvelope = ({ requestId, status, description, faults }) => ({
  request_id: requestId,
  code: status,
  status: 'error',
  description,
  errors: faults,
});

/** The error shape of v4. It has no place for the request_id, by which the log is searched after a failure of ours. */
export const v4Error: ErrorEnvelope = ({ requestId, status, description, faults }) => {
  const text = status >= 500 ? `${description} (request_id ${requestId})` : description;
  return { data: { status: 'error', description: text, errors: faults }, message: text, statusCode: status };
};

/** The error shape of v3: one message. It has no place for the request_id, by which the log is searched after a failure of ours. */
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

/** The error shape of apiv2: two texts, so that all faults are in one of them. */
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
    /** Shape of the error answers of the route; default: by the beginning of the path, see {@link envelopeOf}. */
    errorEnvelope?: ErrorEnvelope;
  }
}

/** Where no route was found, the generation that the caller meant is seen from the path. */
const byPath: readonly (readonly [start: string, envelope: ErrorEnvelope])[] = [
  ['/v3/', v3Error],
  ['/v4/', v4Error],
  ['/apiv2', apiv2Error],
];

/** The shape of the error answers to a request: that of its route, or of the generation that its path begins with; default V5. */
export function envelopeOf(request: FastifyRequest): ErrorEnvelope {
  // Slashes too many are forgiven everywhere.
  const path = `/${request.url.replace(/^\/+/, '')}`;
  const guess = byPath.find(([start]) => path.startsWith(start))?.[1] ?? v5Error;
  return request.routeOptions.config?.errorEnvelope ?? guess;
}
