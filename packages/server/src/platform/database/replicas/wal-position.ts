/**
 * Reads a place in the WAL, such as `16/B374D848`, as a number that can be compared. The two parts
 * are the upper and the lower 32 bits.
 */
export function readWalPosition(text: string): bigint {
  const [upper, lower] = text.split('/').map((part) => BigInt(`0x${part}`));
  return (upper! << 32n) + lower!;
}
