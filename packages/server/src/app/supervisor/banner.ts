import type { FirstAccount } from '../first-start.ts';

/** What the banner tells. */
export interface BannerFacts {
  /** Where the API listens. */
  readonly url: string;
  /** File with the operator token; undefined when it comes from the environment. */
  readonly adminTokenFile: string | undefined;
  /** Only when this start made the first account. */
  readonly firstAccount: FirstAccount | undefined;
}

/** The text that `npm start` shows when the service is ready: where it is, and how to get in. */
export function banner({ url, adminTokenFile, firstAccount }: BannerFacts): string {
  const operator = adminTokenFile === undefined ? 'token as in ROSTER_ADMIN_TOKEN' : `token in ${adminTokenFile}`;
  const places = rows(['API', url], ['Docs', `${url}/docs`], ['Operator', operator]);
  return `\n  Roster is ready. Ctrl-C stops it.\n\n${places}${firstAccountText(firstAccount)}\n`;
}

/** The part of the banner about the first account; empty when this start made none. */
export function firstAccountText(account: FirstAccount | undefined): string {
  if (account === undefined) return '';
  const facts = rows(
    ['Account', String(account.accountId)],
    // Whoever gave a key keeps it where it is safe; a terminal or the log of a container is not.
    ['API key', account.isKeyGiven ? 'as in ROSTER_API_KEY' : account.apiKey],
    ['List', String(account.audienceId)],
  );
  const advice = account.isKeyGiven ? '' : ' Keep its key: it is shown this once.';
  return `\n  This first start made an account.${advice}\n\n${facts}`;
}

const rows = (...entries: [string, string][]): string =>
  entries.map(([label, value]) => `    ${label.padEnd(10)}${value}\n`).join('');
