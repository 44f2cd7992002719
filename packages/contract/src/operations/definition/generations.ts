import { BatchAddErrorAnswer } from '../../shapes/service/batch-add.ts';
import { ErrorAnswer } from '../../shapes/common/envelope.ts';
import { ExportErrorAnswer } from '../../shapes/service/exports.ts';
import { UserActivityErrorAnswer } from '../../shapes/contacts/user-activity.ts';

/**
 * The generations of the API. A generation defines how an operation is authenticated, and the shape
 * of its errors.
 *
 * `credential` is `operatorToken` (`Authorization: Bearer`), `apiKey` (the header `api-key`),
 * `apiKeyParameter` (the parameter `apikey` in the query or the body), or `none`. The OpenAPI
 * document lists the generations in this order.
 */
export const generations = {
  operator: { credential: 'operatorToken', errorAnswer: ErrorAnswer },
  'sign-in': { credential: 'none', errorAnswer: ErrorAnswer },
  v5: { credential: 'apiKey', errorAnswer: ErrorAnswer },
  v4: { credential: 'apiKey', errorAnswer: ExportErrorAnswer },
  v3: { credential: 'apiKey', errorAnswer: BatchAddErrorAnswer },
  apiv2: { credential: 'apiKeyParameter', errorAnswer: UserActivityErrorAnswer },
} as const;

/** A generation of the API. */
export type Generation = keyof typeof generations;
