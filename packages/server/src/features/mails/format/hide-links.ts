// A URL ends at a space, at a quote of an HTML attribute, or at a tag. Inside URLs, these are
// escaped.
const url = /https?:\/\/[^\s"<>]+/g;

/**
 * Replaces the URLs in plain text or HTML of a mail by `[link]`. A URL can be a credential of the
 * recipient.
 */
export function hideLinks(text: string): string {
  return text.replaceAll(url, '[link]');
}
