import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The cost of a hash: memory in KiB, passes over it, and lanes. */
export interface Argon2Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** The cost of new hashes: a recommendation of OWASP. It takes about 50 ms and 19 MiB. */
const currentCost: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 };

const tagLength = 32;
const nonceLength = 16;
const derive = promisify(argon2);

/** Hashes a password with argon2id. Returns a PHC string, which contains the cost and the salt. */
export async function hashArgon2(password: string, cost: Argon2Cost = currentCost): Promise<string> {
  const nonce = randomBytes(nonceLength);
  const tag = await derive('argon2id', { ...cost, message: password, nonce, tagLength });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** Returns whether a password has a hash. Throws if the hash is not a PHC string of argon2id. */
export async function verifyArgon2(password: string, phc: string): Promise<boolean> {
  const { cost, nonce, tag } = parse(phc);
  const found = await derive('argon2id', { ...cost, message: password, nonce, tagLength: tag.length });
  return timingSafeEqual(found, tag);
}

/** Returns whether a hash has another cost than new hashes, and should be replaced. */
export function isOutdated(phc: string): boolean {
  const { memory, passes, parallelism } = parse(phc).cost;
  return memory !== currentCost.memory || passes !== currentCost.passes || parallelism !== currentCost.parallelism;
}

const phcString = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parse(phc: string): { cost: Argon2Cost; nonce: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, nonce, tag] = phcString.exec(phc) ?? [];
  if (tag === undefined || nonce === undefined) throw new Error('a stored password hash is not a PHC string');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** Encodes bytes as PHC strings require: base64 without padding. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
