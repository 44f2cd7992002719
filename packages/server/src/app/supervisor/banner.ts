import { setUpLink } from '#features/users/set-up/set-up-link.ts';
import type { FirstAccount } from '../first-start.ts';

/** The values in the banner. */
export interface BannerFacts {
  /** Address of the API. */
  readonly url: string;
  /** File with the operator token; undefined when it comes from the environment. */
  readonly adminTokenFile: string | undefined;
  /** The first account; undefined unless this start created it. */
  readonly firstAccount: FirstAccount | undefined;
  /** Token of the link that creates the first owner; undefined when there is an owner. */
  readonly setUpToken: string | undefined;
}

/** Returns the text that `npm start` shows when the service is ready. */
export function banner({ url, adminTokenFile, firstAccount, setUpToken }: BannerFacts): string {
  const operator = adminTokenFile === undefined ? 'token in ROSTER_ADMIN_TOKEN' : `token in ${adminTokenFile}`;
  const places = rows(['Console', `${url}/console`], ['API', url], ['Docs', `${url}/docs`], ['Operator', operator]);
  return `\n  Roster is ready. Press Ctrl-C to stop it.\n\n${places}${setUpText(url, setUpToken)}${firstAccountText(firstAccount)}\n`;
}

/** Returns the part of the banner about the first owner; empty if there is an owner. */
export function setUpText(url: string, token: string | undefined): string {
  if (token === undefined) return '';
  return `\n  There is no owner yet. Open this link to create the owner. It works once:\n\n    ${setUpLink(url, token)}\n`;
}

/**
 * Returns the part of the banner about the first account; empty if this start did not create it.
 */
export function firstAccountText(account: FirstAccount | undefined): string {
  if (account === undefined) return '';
  const facts = rows(
    ['Account', String(account.accountId)],
    // The operator already has a key from ROSTER_API_KEY. Do not copy it to a terminal or a log.
    ['API key', account.isKeyGiven ? 'the value of ROSTER_API_KEY' : account.apiKey],
    ['List', String(account.audienceId)],
  );
  const advice = account.isKeyGiven ? '' : ' Keep its API key: it is shown only once.';
  return `\n  This first start created an account.${advice}\n\n${facts}`;
}

const rows = (...entries: [string, string][]): string =>
  entries.map(([label, value]) => `    ${label.padEnd(10)}${value}\n`).join('');
