import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { SignInStepKind } from '#platform/database/schema/tables/access.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { minute } from '#platform/time/intervals.ts';
import { hashSecret, newSecret } from '../secrets/secret.ts';
import { clearCookie, readCookie, setCookie, type CookieRequest } from '../sessions/cookies.ts';

/** Milliseconds from one step of a sign-in to the next. */
const stepLifetime = 10 * minute;

/** What the service remembers between two steps of a sign-in. */
export interface SignInStep {
  readonly kind: SignInStepKind;
  /** Undefined while the person is not known. */
  readonly userId: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Stores a step, and sets the cookie that binds it to the browser. */
export async function beginStep(
  db: Database,
  { config, now }: Pick<Context, 'config' | 'now'>,
  request: CookieRequest,
  { kind, userId, data }: SignInStep,
): Promise<void> {
  const { text, hash } = newSecret();
  await db
    .insertInto('sign_in_steps')
    .values({
      token_hash: hash,
      kind,
      user_id: userId ?? null,
      data: JSON.stringify(data),
      expires_at: new Date(now().getTime() + stepLifetime),
    })
    .execute();
  setCookie(config, request, { name: 'step', value: text, seconds: stepLifetime / 1000 });
}

/** Returns the step of a request without ending it. Throws `sign_in_expired`. */
export async function readStep(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  { incoming }: Pick<CookieRequest, 'incoming'>,
  kind: SignInStepKind,
): Promise<SignInStep> {
  const token = readCookie(config, incoming, 'step');
  const row =
    token === undefined
      ? undefined
      : await db
          .selectFrom('sign_in_steps')
          .where('token_hash', '=', hashSecret(token))
          .where('kind', '=', kind)
          .where('expires_at', '>', now())
          .selectAll()
          .executeTakeFirst();
  if (row === undefined) throw new ApiError('sign_in_expired');
  return { kind, userId: row.user_id ?? undefined, data: row.data };
}

/** Ends the step of a request and returns it. It can be ended only once. Throws `sign_in_expired`. */
export async function endStep(
  trx: Database,
  { config, now }: Pick<Context, 'config' | 'now'>,
  request: CookieRequest,
  kind: SignInStepKind,
): Promise<SignInStep> {
  const token = readCookie(config, request.incoming, 'step');
  const row =
    token === undefined
      ? undefined
      : await trx
          .deleteFrom('sign_in_steps')
          .where('token_hash', '=', hashSecret(token))
          .where('kind', '=', kind)
          .where('expires_at', '>', now())
          .returningAll()
          .executeTakeFirst();
  if (row === undefined) throw new ApiError('sign_in_expired');
  clearCookie(config, request, 'step');
  return { kind, userId: row.user_id ?? undefined, data: row.data };
}

/** Deletes the steps that nobody has continued. */
export async function forgetOldSteps({ db, now }: Context): Promise<void> {
  await db.deleteFrom('sign_in_steps').where('expires_at', '<=', now()).execute();
}
