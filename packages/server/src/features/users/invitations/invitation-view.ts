import type { Invitation } from '@roster/contract';
import type { InvitationRow } from './invitation-store.ts';

/** Converts an invitation to its form in the API. */
export function invitationView(row: InvitationRow, now: Date): Invitation {
  return {
    invitation_id: row.invitation_id,
    email: row.email,
    role: row.role,
    unmasked: row.unmasked,
    status: row.expires_at > now ? 'open' : 'expired',
    author: row.author,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
