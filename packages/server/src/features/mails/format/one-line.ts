// Line breaks and other control characters, and the marks that let a text turn the direction of what stands around it.
const disruptive = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * A value as it may stand in a mail: one line of well-formed text.
 *
 * Names of audiences and accounts are whatever somebody typed. With a line break one could write headers, or lines of a mail that nobody
 * wrote; so every value passes here before it becomes part of a subject or a text.
 */
export function oneLine(value: string): string {
  return value.toWellFormed().replaceAll(disruptive, ' ').replaceAll(/ {2,}/g, ' ').trim();
}

/** The first `max` characters (code points) of a text; the last of them is `…` when something is left out. */
export function shortened(text: string, max: number): string {
  let count = 0;
  let end = 0;
  for (const character of text) {
    count++;
    if (count > max) return `${text.slice(0, end).trimEnd()}…`;
    if (count < max) end += character.length;
  }
  return text;
}
