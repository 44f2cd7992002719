import { accessSync, constants } from 'node:fs';
import { passwordLength } from '@roster/contract/text/password-length.ts';
import { characters, isEmail } from '@roster/contract/text/text.ts';

/** Any text. */
export const text = (value: string): string => value;

/** One of some words, in any case. */
export const oneOf =
  <T extends string>(...allowed: readonly T[]) =>
  (value: string): T => {
    const found = allowed.find((candidate) => candidate === value.toLowerCase());
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
    return found;
  };

/** Reads the text of a variable. Throws an Error whose message says what is allowed. */
export interface Parse<T> {
  (text: string): T;
  /** The allowed numbers, for the documentation. */
  readonly range?: string;
}

/** An integer in a range. */
export const integer = (min: number, max: number): Parse<number> => {
  const range = `${min} to ${max}`;
  const parse = (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) throw new Error(`must be an integer from ${range}`);
    return number;
  };
  return Object.assign(parse, { range });
};

/** A URL with one of some protocols. */
export const url =
  (...protocols: readonly string[]) =>
  (value: string): string => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed === undefined || !protocols.includes(parsed.protocol)) {
      throw new Error(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    }
    return value.replace(/\/$/, '');
  };

/** The URL of a PostgreSQL server. The files that it names for TLS must be readable. */
export const databaseUrl = (value: string): string => {
  const address = url('postgres:', 'postgresql:')(value);
  const parameters = new URL(address).searchParams;
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = parameters.get(name);
    if (file === null || file === '') continue;
    try {
      accessSync(file, constants.R_OK);
    } catch {
      throw new Error(`must name files that this user can read, but ${name} is ${file}`);
    }
  }
  return address;
};

/** The URL of this service: without a user, a query and a fragment, because paths are appended to it. */
export const publicUrl = (value: string): string => {
  const address = url('http:', 'https:')(value);
  if (/[?#@]/.test(address))
    throw new Error('must be a URL without `?`, `#` and `@`, such as https://roster.example.com');
  return address;
};

/** A secret of printable ASCII. */
export const secret = (value: string): string => {
  if (value.length < 32) throw new Error('must have at least 32 characters');
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Error('must consist of printable ASCII characters without spaces');
  return value;
};

/** An e-mail address. */
export const email = (value: string): string => {
  if (!isEmail(value)) throw new Error('must be an e-mail address');
  return value;
};

/** A password of a person. */
export const password = (value: string): string => {
  const { minimum, maximum } = passwordLength;
  const length = characters(value.normalize('NFC'));
  if (length < minimum || length > maximum) throw new Error(`must have ${minimum} to ${maximum} characters`);
  return value;
};
