import { invitationsPerAccount, type CreateInvitationBody } from '@roster/contract';
import { createMail, installationMails } from '#features/mails/mails.ts';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import { publicUrlOf } from '#platform/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import { conflict, notFound } from '#platform/errors/api-error.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { hour } from '#platform/time/intervals.ts';
import { requireMayGrant } from '../members/member-rules.ts';
import { hasMemberWithEmail } from '../members/member-store.ts';
import { newSecret } from '../secrets/secret.ts';
import { emailKey } from '../store/user-store.ts';
import {
  countOpenInvitations,
  deleteInvitation,
  invitationById,
  invitationTo,
  putInvitation,
  type InvitationRow,
} from './invitation-store.ts';

/** Milliseconds for which the link of an invitation works. */
const invitationLifetime = 7 * 24 * hour;

/**
 * Invites a person to an account. The link goes to the person by mail. Without a mail server, it is
 * returned instead. Throws `not_found`, `missing_permission` (also if the caller may not withdraw the
 * invitation that this one replaces), `conflict` for a member or when there are too many, and
 * `rate_limited` after too many mails.
 */
export async function createInvitation(
  context: Context,
  actor: Actor,
  accountId: number,
  { email, role, unmasked = false }: CreateInvitationBody,
): Promise<{ readonly row: InvitationRow; readonly link: string | null }> {
  const { config, db, now, signInLimits } = context;
  requireMayGrant(actor, accountId, { before: undefined, after: { role, unmasked } });
  const { text, hash } = newSecret();
  const link = `${publicUrlOf(config)}/console/invitation#token=${text}`;
  const hasMailServer = config.smtpServer !== undefined;
  if (hasMailServer) await signInLimits.invite(accountId);
  const row = await db.transaction().execute(async (trx) => {
    const account = await requireLockedAccount(trx, accountId);
    if (await hasMemberWithEmail(trx, accountId, emailKey(email))) {
      throw conflict('A member of the account has this address already.');
    }
    // The new invitation replaces this one, so the caller needs the right to withdraw it.
    const replaced = await invitationTo(trx, accountId, email);
    if (replaced !== undefined) requireMayGrant(actor, accountId, { before: replaced, after: undefined });
    const at = now();
    if (replaced === undefined && (await countOpenInvitations(trx, accountId, at)) >= invitationsPerAccount) {
      throw conflict(
        `The account has ${invitationsPerAccount} open invitations, which is the maximum. Withdraw one of them.`,
      );
    }
    const expiresAt = new Date(at.getTime() + invitationLifetime);
    const made = await putInvitation(
      trx,
      {
        account_id: accountId,
        email,
        role,
        unmasked,
        author: actor.author,
        created_at: at,
        expires_at: expiresAt,
      },
      hash,
    );
    await writeAudit(trx, context, {
      accountId,
      actor: actor.author,
      action: 'invitation.create',
      subject: `invitation:${made.invitation_id}`,
      details: { role, unmasked },
    });
    if (hasMailServer) {
      const data = {
        accountName: account.name,
        inviterName: actor.person?.name,
        url: link,
        expiresAt,
        timeZone: account.time_zone,
      };
      await createMail(trx, context, { accountId: installationMails, to: email, template: 'invitation', data });
    }
    return made;
  });
  return { row, link: hasMailServer ? null : link };
}

/** Deletes an invitation. Throws `not_found`, and `missing_permission` for one of an owner. */
export async function withdrawInvitation(
  context: Pick<Context, 'db' | 'now'>,
  actor: Actor,
  accountId: number,
  invitationId: number,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const invitation = await invitationById(trx, accountId, invitationId);
    if (invitation === undefined) {
      throw notFound(`invitation ${invitationId} in account ${accountId}`);
    }
    requireMayGrant(actor, accountId, { before: invitation, after: undefined });
    await deleteInvitation(trx, accountId, invitationId);
    await writeAudit(trx, context, {
      accountId,
      actor: actor.author,
      action: 'invitation.delete',
      subject: `invitation:${invitationId}`,
    });
  });
}
