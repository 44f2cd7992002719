import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { notFound } from '#platform/errors/api-error.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { leaveAccount } from '../members/members.ts';
import { deleteSession, deleteSessionsOf, listSessions } from '../sessions/session-store.ts';
import { ownSessionView, personView } from '../sessions/session-view.ts';
import { idleSince } from '../sessions/sessions.ts';
import { updateUser } from '../store/user-store.ts';
import { changePassword, confirmPerson } from '../profile/profile.ts';
import { personOf, requireRecentSignIn, requireSession } from '../profile/requirements.ts';

/** What people do with their own profile, password and sessions. */
export function profileRoutes(app: FastifyInstance, { context }: Service): void {
  const { db } = context;

  serve(app, 'getOwnProfile', { handle: ({ actor }) => personView(context, personOf(actor)) });

  serve(app, 'updateOwnProfile', {
    async handle({ actor, body }) {
      const person = requireSession(actor);
      await updateUser(db, person.userId, body, context.now());
      return personView(context, person);
    },
  });

  serve(app, 'confirmSignIn', {
    async handle({ actor, body, incoming }) {
      await confirmPerson(context, incoming, requireSession(actor), body);
      return undefined;
    },
  });

  serve(app, 'changePassword', {
    async handle({ actor, body }) {
      await changePassword(context, await requireRecentSignIn(context, actor), body);
      return undefined;
    },
  });

  serve(app, 'leaveAccount', {
    async handle({ actor, body }) {
      await leaveAccount(context, requireSession(actor), body.account_id);
      return undefined;
    },
  });

  serve(app, 'listOwnSessions', {
    async handle({ actor, query }) {
      const { userId, sessionId } = personOf(actor);
      const now = context.now();
      return pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) =>
          listSessions(db, userId, { after: after?.[0] ?? 0, limit, now, idleSince: idleSince(now) }),
        position: (row) => [row.session_id],
        view: (row) => ownSessionView(row, sessionId),
      });
    },
  });

  serve(app, 'endOwnSession', {
    async handle({ actor, params: { session_id: id } }) {
      const found = await deleteSession(db, requireSession(actor).userId, id);
      if (!found) throw notFound(`session ${id}`);
      return undefined;
    },
  });

  serve(app, 'endOtherSessions', {
    async handle({ actor }) {
      const { userId, sessionId } = requireSession(actor);
      await deleteSessionsOf(db, userId, sessionId);
      return undefined;
    },
  });
}
