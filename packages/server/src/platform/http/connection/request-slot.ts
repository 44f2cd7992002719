import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { enterGate, type OwnRefusal } from '#platform/load/enter-gate.ts';
import type { FairGate, Leave } from '#platform/load/fair-gate.ts';
import { disconnectSignal } from './client-disconnect.ts';

/** The owner of a slot: an account, or the caller of an operation without an account. */
export type RequestOwner = number | string;

/**
 * Returns the owner of the slots of an authenticated request: the account of its API key, or of its
 * path. So a caller of one account never takes the slots of another.
 */
export function ownerOf({ credential, actor, params }: FastifyRequest): RequestOwner {
  const { account_id: id } = params as { readonly account_id?: string | number };
  const accountId = credential?.accountId ?? Number(id);
  return Number.isInteger(accountId) ? accountId : (actor?.author ?? 'unknown');
}

/** The slots that a response holds. */
const held = new WeakMap<ServerResponse, Leave[]>();

/** Leaves a gate when the response is sent or the client has disconnected. */
export function leaveAtEnd({ raw }: FastifyReply, leave: Leave): void {
  if (raw.closed) return leave();
  raw.once('close', leave);
  held.set(raw, [...(held.get(raw) ?? []), leave]);
}

/**
 * Leaves all gates of a request before its response is sent. Call it when its work is done, and the
 * response only waits for something.
 */
export function leaveEarly({ raw }: FastifyReply): void {
  for (const leave of held.get(raw) ?? []) leave();
}

/** Waits for a slot and keeps it until the response is sent or the client has disconnected. */
export async function holdSlot(
  gate: FairGate<RequestOwner>,
  request: FastifyRequest,
  reply: FastifyReply,
  own: OwnRefusal,
): Promise<void> {
  leaveAtEnd(reply, await enterGate(gate, ownerOf(request), own, disconnectSignal(reply.raw)));
}

/** Calls back when a promise settles. Hooks with a body and streams need callbacks. */
export async function callBack(slot: Promise<void>, done: (error: Error | null) => void): Promise<void> {
  const failure = await slot.then(
    () => null,
    (error: Error) => error,
  );
  done(failure);
}
