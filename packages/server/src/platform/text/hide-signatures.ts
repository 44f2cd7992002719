// Also in a URL that is a parameter of another URL.
const signature = /(signature(?:=|%3D))[\w-]+/gi;

/**
 * Hides the signatures of signed URLs in a text. The URLs then open nothing. Everyone who has the
 * whole URL of a file can download it.
 */
export function hideSignatures(text: string): string {
  return text.replaceAll(signature, '$1****');
}
