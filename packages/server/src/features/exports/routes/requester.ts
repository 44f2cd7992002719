import type { Actor } from '#platform/http/authentication/actor.ts';
import type { FileRights } from '../store/export-view.ts';
import type { Requester } from '../request/create-export.ts';

/** Returns the caller of an operator operation, with the rights that exports depend on. */
export function requesterOf(actor: Actor, accountId: number): Requester & FileRights {
  return {
    author: actor.author,
    mayExport: actor.can('export', accountId),
    maySeeUnmasked: actor.can('unmasked', accountId),
    maySeeActivity: actor.can('activity:read', accountId),
  };
}
