import { apiErrors, type ApiErrorCode } from '@roster/contract';
import { Type, type TSchema } from 'typebox';

/**
 * Makes the `responses` of an operation for its errors: one entry for each status, with all errors
 * of that status. `shape` is the `$id` of their shape.
 */
export function errorAnswers(codes: readonly ApiErrorCode[], shape: string): Record<number, TSchema> {
  const byStatus = Map.groupBy(new Set(codes), (code) => apiErrors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => [
      status,
      Type.Unsafe<object>({
        $ref: `${shape}#`,
        description: kinds.map((code) => `\`${code}\`: ${apiErrors[code].doc}`).join('\n\n'),
      }),
    ]),
  );
}
