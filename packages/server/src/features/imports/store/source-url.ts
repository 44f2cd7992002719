import { importLimits, type Faults } from '@roster/contract';
import { checkCallbackUrl } from '#features/callbacks/destination/callback-url.ts';
import type { Config } from '#platform/config/config.ts';
import { decodePercent } from '#platform/http/parameters/form.ts';

/**
 * Checks the URL of a file. Returns it without its fragment, or reports a fault. The same hosts are
 * allowed as for callbacks of exports: public hosts with HTTPS, and what `ROSTER_CALLBACK_ALLOW`
 * allows.
 */
export function checkSourceUrl(
  text: string,
  { callbackAllow: allow }: Pick<Config, 'callbackAllow'>,
  faults: Faults,
): string | undefined {
  const url = checkCallbackUrl(text.trim(), { allow, plainHttp: false }, faults, {
    maxLength: importLimits.urlCharacters,
    example: 'https://files.example.com/customers.csv',
    secretsBelong: 'Use a URL that works without them, such as a signed URL',
  });
  if (url === undefined) return undefined;
  url.hash = '';
  return url.href;
}

/** Returns a URL as people may see it: without user name, password, query and fragment. */
export function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}

/** Returns the last part of the path of a URL as the name of its file; undefined if it has none. */
export function fileNameOf(text: string): string | undefined {
  const last = new URL(text).pathname.split('/').at(-1)!;
  const name = decodePercent(last)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .trim();
  return name === '' ? undefined : name.slice(0, 255).toWellFormed();
}
