import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { invitationView } from '../invitations/invitation-view.ts';
import { createInvitation, withdrawInvitation } from '../invitations/invitations.ts';
import { listInvitations } from '../invitations/invitation-store.ts';
import { listMembers } from '../members/member-store.ts';
import { changeMember, memberView, removeMember } from '../members/members.ts';

/** The members of an account, and invitations. */
export function memberRoutes(app: FastifyInstance, { context }: Service): void {
  const { db } = context;

  serve(app, 'listMembers', {
    async handle({ params: { account_id: accountId }, query }) {
      await requireAccount(db, accountId);
      return pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listMembers(db, accountId, after?.[0] ?? 0, limit),
        position: (row) => [row.user_id],
        view: memberView,
      });
    },
  });

  serve(app, 'updateMember', {
    handle: async ({ actor, params, body }) =>
      memberView(await changeMember(context, actor, params.account_id, params.user_id, body)),
  });

  serve(app, 'removeMember', {
    async handle({ actor, params }) {
      await removeMember(context, actor, params.account_id, params.user_id);
      return undefined;
    },
  });

  serve(app, 'createInvitation', {
    async handle({ actor, params, body }) {
      const { row, link } = await createInvitation(context, actor, params.account_id, body);
      return { ...invitationView(row, context.now()), link };
    },
  });

  serve(app, 'listInvitations', {
    async handle({ params: { account_id: accountId }, query }) {
      await requireAccount(db, accountId);
      return pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listInvitations(db, accountId, after?.[0] ?? 0, limit),
        position: (row) => [row.invitation_id],
        view: (row) => invitationView(row, context.now()),
      });
    },
  });

  serve(app, 'deleteInvitation', {
    async handle({ actor, params }) {
      await withdrawInvitation(context, actor, params.account_id, params.invitation_id);
      return undefined;
    },
  });
}
