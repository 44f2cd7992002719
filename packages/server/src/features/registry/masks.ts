import { dataMaskings, type DataMasking } from '@roster/contract';

/** True when a mask hides less than another. */
export function hidesLess(mask: DataMasking, other: DataMasking): boolean {
  // The words are in order of how much they hide.
  return dataMaskings.indexOf(mask) < dataMaskings.indexOf(other);
}

/** The one of two masks that hides more. */
export function stricterMask(a: DataMasking, b: DataMasking): DataMasking {
  return hidesLess(a, b) ? b : a;
}
