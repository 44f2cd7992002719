/** Why a sign-in with the identity provider failed. */
export type RefusalReason = 'away' | 'busy' | 'invalid' | 'expired' | 'unverified' | 'taken' | 'unknown' | 'disabled';

/** A failed sign-in with the identity provider. The person sees a page that says what to do. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, options: ErrorOptions = {}) {
    super(`a single sign-on was refused: ${reason}`, options);
    this.reason = reason;
  }
}

/** The page about a refusal: HTTP status, and what to do. */
interface RefusalPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

const pages: Readonly<Record<RefusalReason, RefusalPage>> = {
  away: {
    status: 503,
    title: 'The sign-in service is not available',
    text: 'Roster cannot reach the identity provider. Try again in a few minutes, or sign in with a password.',
  },
  busy: {
    status: 429,
    title: 'Too many sign-ins',
    text: 'Too many people have started a sign-in from your network. Try again in ten minutes, or sign in with a password.',
  },
  invalid: {
    status: 403,
    title: 'The sign-in failed',
    text: 'The answer of the identity provider is not valid, or you cancelled the sign-in. Try again. If it fails again, an administrator finds the reason in the log of Roster.',
  },
  expired: {
    status: 410,
    title: 'The sign-in took too long',
    text: 'Start the sign-in again, and finish it within ten minutes in the same browser.',
  },
  unverified: {
    status: 403,
    title: 'Your address is not verified',
    text: 'The identity provider has not verified your e-mail address. Verify it there, then sign in again.',
  },
  taken: {
    status: 403,
    title: 'Your address already has a user',
    text: 'Sign in with your password. To use single sign-on with this user, ask an administrator to set ROSTER_OIDC_LINK_BY_EMAIL.',
  },
  unknown: {
    status: 403,
    title: 'You have no access yet',
    text: 'Ask an administrator of Roster to invite you, or to give one of your groups a role.',
  },
  disabled: {
    status: 403,
    title: 'Your user is disabled',
    text: 'Ask an administrator of Roster to enable it.',
  },
};

/** Returns the page about a refusal. */
export function refusalPage({ reason }: SignInRefusal): RefusalPage {
  return pages[reason];
}
