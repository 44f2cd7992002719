// Up to what ends an attribute of HTML, or begins an element: addresses have these escaped.
const address = /https?:\/\/[^\s"<>]+/g;

/** Replaces the addresses in a text of a mail, plain or HTML, by `[link]`: whoever reads the one of a sign-up, or of a file, can use it. */
export function hideLinks(text: string): string {
  return text.replaceAll(address, '[link]');
}
