/**
 * Returns an address of the console to which a sign-in may lead. Everything else leads to the start
 * page: a link could otherwise send people from the real sign-in to a foreign page.
 */
export function safeReturnAddress(text: string | undefined): string {
  const base = 'http://roster.invalid';
  const fallback = '/console';
  // Browsers read a backslash as a slash, and ignore tabs and line breaks.
  if (text === undefined || !/^\/console(?:[/?#]|$)/.test(text) || /[\\\s]/.test(text)) return fallback;
  if (!URL.canParse(text, base)) return fallback;
  const { origin, pathname, search, hash } = new URL(text, base);
  // The path can contain dot segments that lead out of the console.
  return origin === base && /^\/console(?:\/|$)/.test(pathname) ? `${pathname}${search}${hash}` : fallback;
}
