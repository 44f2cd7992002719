import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { publicUrlOf } from '#platform/config/public-url.ts';
import { conflict, notFound } from '#platform/errors/api-error.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { changeUser, deleteUser, endSessionsOf, removeSecondFactorOf } from '../installation/change-users.ts';
import { listUsers, userView } from '../installation/user-list.ts';
import { newPasswordResetLink } from '../password-resets/password-resets.ts';
import { requireRecentSignIn } from '../profile/requirements.ts';
import { newSetUpToken } from '../set-up/set-up.ts';
import { setUpLink } from '../set-up/set-up-link.ts';

/** The users of the installation, for installation administrators, and links for people who cannot sign in. */
export function installationRoutes(app: FastifyInstance, { context }: Service): void {
  const baseUrl = publicUrlOf(context.config);

  serve(app, 'listUsers', {
    handle: async ({ query }) =>
      pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listUsers(context.db, query, after?.[0] ?? 0, limit),
        position: (row) => [row.user_id],
        view: userView,
      }),
  });

  serve(app, 'updateUser', {
    async handle({ actor, params: { user_id: userId }, body }) {
      if (body.is_installation_admin === true) await requireTrust(actor);
      const row = await changeUser(context, userId, body);
      logChange(actor, userId, 'changed a user', { fields: Object.keys(body) });
      return userView(row);
    },
  });

  serve(app, 'deleteUser', {
    async handle({ actor, params: { user_id: userId } }) {
      await requireTrust(actor);
      await deleteUser(context, actor, userId);
      logChange(actor, userId, 'deleted a user');
      return undefined;
    },
  });

  serve(app, 'endUserSessions', {
    async handle({ actor, params: { user_id: userId } }) {
      await endSessionsOf(context, userId);
      logChange(actor, userId, 'ended the sessions of a user');
      return undefined;
    },
  });

  serve(app, 'removeUserSecondFactor', {
    async handle({ actor, params: { user_id: userId } }) {
      await requireTrust(actor);
      await removeSecondFactorOf(context, userId);
      logChange(actor, userId, 'removed the second factor of a user');
      return undefined;
    },
  });

  serve(app, 'createSetUpLink', {
    async handle() {
      const token = await newSetUpToken(context);
      if (token === undefined) {
        throw conflict('There is a user already. Ask an owner for an invitation, or reset the password.');
      }
      return { link: setUpLink(baseUrl, token) };
    },
  });

  serve(app, 'createPasswordResetLink', {
    async handle({ actor, body }) {
      await requireTrust(actor);
      const link = await newPasswordResetLink(context, baseUrl, body.email);
      if (link === undefined) throw notFound('user with this address');
      context.log.info({ author: actor.author }, 'made a link that sets a new password');
      return { link };
    },
  });

  /**
   * Requires a recent sign-in of a person. Otherwise a browser that was left open, or a stolen
   * token, could take over users. The operator token needs none.
   */
  async function requireTrust(actor: Actor): Promise<void> {
    if (actor.person !== undefined) await requireRecentSignIn(context, actor);
  }

  function logChange(actor: Actor, userId: number, message: string, more: object = {}): void {
    context.log.info({ user_id: userId, author: actor.author, ...more }, message);
  }
}
