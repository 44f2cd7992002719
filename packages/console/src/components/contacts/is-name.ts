/** Tells whether a text can be the name of a person. A text with an @, or without letters, cannot. */
export function isName(text: string): boolean {
  return /\p{L}/u.test(text) && !text.includes('@');
}
