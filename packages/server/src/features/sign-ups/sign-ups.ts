import { randomBytes } from 'node:crypto';
import type { CreateSignUpBody } from '@roster/contract';
import type { AccountRow } from '#features/accounts/store/account-store.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { publicUrlOf } from '#platform/config/public-url.ts';
import { comparableEmail } from '#features/contacts/model/contact.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import type { SignUpContact } from './apply-sign-up.ts';
import type { Context } from '#platform/context.ts';
import { ApiError, invalidField } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import { createMail } from '#features/mails/mails.ts';
import { daysBefore, hour } from '#platform/time/intervals.ts';
import { findSignUp, insertSignUp, recentSignUps, useSignUp } from './sign-up-store.ts';
import { sha256 } from '#platform/text/sha256.ts';

/** Milliseconds. */
const linkLifetime = 48 * hour;
// Enough for a person who lost the mail twice. More could be used to annoy a person.
const mailsPerAddress = { count: 3, within: hour } as const;
const mailsPerAddressAndDay = { count: 6, within: 24 * hour } as const;

/**
 * Accepts a sign-up: creates the contact as `unconfirmed` unless it exists, and sends a mail with
 * the link that confirms it. The result does not show whether the address was known before.
 *
 * Throws `not_found`, `invalid_request` when the identity is missing or invalid, and `rate_limited`
 * when the address got too many mails.
 */
export async function createSignUp(
  service: Service,
  accountId: number,
  body: CreateSignUpBody,
  requestId: string,
): Promise<{ readonly signUpId: string; readonly expiresAt: Date }> {
  const { context, acceptor } = service;
  const account = await requireAccount(context.db, accountId);
  const contact = signUpContact(account, body);
  const token = randomBytes(32).toString('base64url');
  const now = context.now();
  const expiresAt = new Date(now.getTime() + linkLifetime);
  const signUpId = context.newId();
  const addressHash = sha256(comparableEmail(body.email));
  const acceptance = { accountId, requestId, operation: 'contact.sign-up', payload: { contact }, total: 1 } as const;
  await acceptor.acceptWith(acceptance, async (trx) => {
    limitMails(context, await recentSignUps(trx, accountId, addressHash, daysBefore(now, 1)));
    await insertSignUp(trx, {
      account_id: accountId,
      sign_up_id: signUpId,
      token_hash: sha256(token),
      address_hash: addressHash,
      contact: JSON.stringify(contact),
      created_at: now,
      expires_at: expiresAt,
    });
    await createMail(trx, context, {
      accountId,
      to: body.email,
      template: 'sign_up_link',
      data: {
        accountName: account.name,
        url: `${publicUrlOf(context.config)}/verify/${token}`,
        expiresAt,
        timeZone: account.time_zone,
      },
    });
  });
  return { signUpId, expiresAt };
}

/** State of a link: it can confirm, has confirmed, or is unknown or expired. */
export type LinkState = 'open' | 'used' | 'invalid';

/** A link, and the account that has sent it. */
export interface LinkView {
  readonly state: LinkState;
  /** Undefined for an unknown or expired link. */
  readonly accountName?: string;
}

/** Returns the link with a token. */
export async function findLink(context: Context, token: string): Promise<LinkView> {
  const link = await findSignUp(context.db, sha256(token), context.now());
  if (link === undefined) return { state: 'invalid' };
  return { state: link.contact === null ? 'used' : 'open', accountName: link.accountName };
}

/** Confirms the contact of a token, once. Returns the link as it was before. */
export async function confirmSignUp(
  { context, acceptor }: Service,
  token: string,
  requestId: string,
): Promise<LinkView> {
  const tokenHash = sha256(token);
  const found = await findSignUp(context.db, tokenHash, context.now());
  if (found === undefined) return { state: 'invalid' };
  const { accountId, accountName, contact } = found;
  if (contact === null) return { state: 'used', accountName };
  const acceptance = { accountId, requestId, operation: 'contact.confirm', payload: { contact }, total: 1 } as const;
  try {
    await acceptor.acceptWith(acceptance, async (trx) => {
      const link = await findSignUp(trx, tokenHash, context.now(), { lock: true });
      // Another request has used the link. Throwing rolls this transaction back.
      if (link === undefined || link.contact === null) throw new LinkUsed();
      await useSignUp(trx, link, context.now());
    });
  } catch (error) {
    if (error instanceof LinkUsed) return { state: 'used', accountName };
    throw error;
  }
  return { state: 'open', accountName };
}

class LinkUsed extends Error {}

/**
 * Returns the contact of a sign-up with its identity. If the primary key is EMAIL or MOBILE, the
 * default identity is the e-mail address or mobile number.
 */
function signUpContact({ primary_key: primaryKey }: AccountRow, body: CreateSignUpBody): SignUpContact {
  const filled = primaryKey === 'EMAIL' ? body.email : primaryKey === 'MOBILE' ? body.mobile : undefined;
  const identity = body.identity ?? filled ?? undefined;
  if (identity === undefined) {
    const field = primaryKey === 'MOBILE' ? 'mobile' : 'identity';
    throw invalidField('required', field, `is required, because ${primaryKey} is the primary key of the account`);
  }
  const key = contactKey(primaryKey, identity);
  if (key === undefined)
    throw invalidField(
      'invalid_format',
      'identity',
      primaryKey === 'MOBILE'
        ? 'must be 6 to 15 digits with the country code, because MOBILE is the primary key'
        : 'must be an e-mail address, because EMAIL is the primary key',
    );
  if (filled !== undefined && filled !== null && contactKey(primaryKey, filled) !== key) {
    throw invalidField(
      'not_supported',
      'identity',
      `must be the same as ${primaryKey.toLowerCase()}, which is the primary key. Leave one of them out`,
    );
  }
  return { ...body, identity };
}

function limitMails({ now }: Pick<Context, 'now'>, sent: readonly Date[]): void {
  for (const { count, within } of [mailsPerAddress, mailsPerAddressAndDay]) {
    const oldest = sent[count - 1];
    const wait = oldest === undefined ? 0 : oldest.getTime() + within - now().getTime();
    if (wait <= 0) continue;
    const seconds = Math.ceil(wait / 1000);
    throw new ApiError('rate_limited', { params: { seconds }, headers: { 'retry-after': String(seconds) } });
  }
}
