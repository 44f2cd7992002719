// Characters that embed, override or isolate a direction of writing (Unicode UAX #9).
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes invisible characters that change the direction of the text after them. A value with such
 * a character could otherwise turn around the rest of a sentence, such as the question of a dialog.
 * Right-to-left letters need none of them.
 */
export function plainDirection(text: string): string {
  return text.replace(directionControls, '');
}
