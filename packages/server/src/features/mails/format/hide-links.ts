// A URL ends at a space, at a quote of an HTML attribute, or at a tag.
const url = /https?:\/\/[^\s"<>]+/g;

/** Replaces the URLs in a mail, plain text or HTML, by `[link]`. They can be credentials. */
export function hideLinks(text: string): string {
  return text.replaceAll(url, '[link]');
}
