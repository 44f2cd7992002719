export * from './accounts.ts';
export * from './contacts.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './search.ts';
export { Faults, faultCodes, type Fault, type FaultCode } from './reader/faults.ts';
export { anonymousPrefix } from './reader/formats.ts';
export { readerOf, type Reader } from './reader/reader.ts';
export { characters, isEmail, isLongerThan, isStorable, mobileDigits } from './reader/text.ts';
