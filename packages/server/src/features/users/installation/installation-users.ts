import { maxInteger, type UpdateUserBody, type User } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Selectable } from 'kysely';
import { publicUrlOf } from '#platform/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { userFacts } from '../members/member-store.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { newPasswordResetLink } from '../password-resets/password-resets.ts';
import { newSetUpToken, setUpLink } from '../set-up/set-up.ts';
import { updateUser } from '../store/user-store.ts';

type UserListRow = Pick<
  Selectable<Tables['users']>,
  'user_id' | 'name' | 'email' | 'is_installation_admin' | 'disabled_at' | 'created_at'
> & { readonly has_second_factor: boolean; readonly last_seen_at: Date | null };

/** The users of the installation, for installation administrators. */
export function installationRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listUsers', {
    handle: async ({ query }) =>
      pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) =>
          users(context.db)
            .where('user_id', '>', after?.[0] ?? 0)
            .orderBy('user_id')
            .limit(limit)
            .execute(),
        position: (row) => [row.user_id],
        view: userView,
      }),
  });

  serve(app, 'updateUser', {
    async handle({ actor, params: { user_id: userId }, body }) {
      const view = await changeUser(context, userId, body);
      context.log.info({ user_id: userId, author: actor.author, fields: Object.keys(body) }, 'changed a user');
      return view;
    },
  });
}

/** Links for people who cannot sign in, made by operators. */
export function linkRoutes(app: FastifyInstance, { context }: Service): void {
  const baseUrl = publicUrlOf(context.config);

  serve(app, 'createSetUpLink', {
    async handle() {
      const token = await newSetUpToken(context);
      if (token === undefined) {
        throw new ApiError('conflict', {
          params: { reason: 'There is a user already. Ask an owner for an invitation, or reset the password.' },
        });
      }
      return { link: setUpLink(baseUrl, token) };
    },
  });

  serve(app, 'createPasswordResetLink', {
    async handle({ actor, body }) {
      const link = await newPasswordResetLink(context, baseUrl, body.email);
      if (link === undefined) throw new ApiError('not_found', { params: { what: 'user with this address' } });
      context.log.info({ author: actor.author }, 'made a link that sets a new password');
      return { link };
    },
  });
}

/** Disables or enables a user, or changes whether the user is an installation administrator. */
async function changeUser({ db, now }: Context, userId: number, body: UpdateUserBody): Promise<User> {
  return db.transaction().execute(async (trx) => {
    // Locked in one order, so that two administrators cannot both lower each other.
    const admins = await trx
      .selectFrom('users')
      .where('is_installation_admin', '=', true)
      .where('disabled_at', 'is', null)
      .select('user_id')
      .orderBy('user_id')
      .forUpdate()
      .execute();
    const before = await users(trx).where('user_id', '=', userId).executeTakeFirst();
    if (before === undefined) throw new ApiError('not_found', { params: { what: `user ${userId}` } });
    const isDisabled = body.is_disabled ?? before.disabled_at !== null;
    const isAdmin = body.is_installation_admin ?? before.is_installation_admin;
    const isLast = admins.length === 1 && admins[0]!.user_id === userId;
    if (isLast && (isDisabled || !isAdmin)) {
      throw new ApiError('conflict', {
        params: { reason: 'This is the last installation administrator. Make somebody else one first.' },
      });
    }
    const disabledAt = isDisabled ? (before.disabled_at ?? now()) : null;
    await updateUser(trx, userId, { disabled_at: disabledAt, is_installation_admin: isAdmin }, now());
    if (isDisabled) await deleteSessionsOf(trx, userId);
    return userView((await users(trx).where('user_id', '=', userId).executeTakeFirst())!);
  });
}

function users(db: Database) {
  return db
    .selectFrom('users')
    .select(['user_id', 'name', 'email', 'is_installation_admin', 'disabled_at', 'created_at', ...userFacts]);
}

function userView(row: UserListRow): User {
  return {
    user_id: row.user_id,
    name: row.name,
    email: row.email,
    is_installation_admin: row.is_installation_admin,
    is_disabled: row.disabled_at !== null,
    has_second_factor: row.has_second_factor,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
