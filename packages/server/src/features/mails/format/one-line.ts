// Line breaks and other control characters, and the characters that change the direction of text.
const disruptive = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Converts a value to one line of well-formed text. Use it for every value in a mail.
 *
 * Names of audiences and accounts are user input. With a line break, a name could add headers or
 * lines to a mail.
 */
export function oneLine(value: string): string {
  return value.toWellFormed().replaceAll(disruptive, ' ').replaceAll(/ {2,}/g, ' ').trim();
}

/** Shortens a text to `max` characters (code points). A shortened text ends with `…`. */
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
