import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

/** A passkey of {@link createAuthenticator}. */
interface StoredPasskey {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  readonly rpId: string;
  readonly userHandle: string;
  counter: number;
}

/** What an authenticator does differently from what it is asked for. */
export interface Deviation {
  /** The origin that the browser signs. */
  readonly origin?: string;
  readonly challenge?: string;
  /** The site for which the passkey signs. */
  readonly rpId?: string;
  /** False: the device did not verify the person. */
  readonly isVerified?: boolean;
  /** The counter of signatures; default: one more than before. */
  readonly counter?: number;
  /** Signs with another key. */
  readonly otherKey?: boolean;
}

interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly challenge: string;
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

/** A software authenticator together with a browser: makes passkeys and signs with them. */
export function createAuthenticator(origin: string) {
  const passkeys: StoredPasskey[] = [];

  return {
    passkeys,
    /** Like `navigator.credentials.create`. */
    create(options: CreationOptions, deviation: Deviation = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const rpId = deviation.rpId ?? options.rp.id;
      const passkey = { id: randomBytes(16), privateKey, rpId, userHandle: options.user.id, counter: 0 };
      passkeys.push(passkey);
      const { x, y } = publicKey.export({ format: 'jwk' });
      const key = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x!, 'base64url'))],
        [cborInt(-3), cborBytes(Buffer.from(y!, 'base64url'))],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(passkey.id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, passkey.id, key]);
      const authData = Buffer.concat([head(rpId, flagsOf(deviation) | 0x40, 0), credential]);
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ]);
      return answer(passkey, {
        clientDataJSON: clientData('webauthn.create', options.challenge, origin, deviation),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** Like `navigator.credentials.get`. */
    get(options: RequestOptions, deviation: Deviation = {}, passkey = passkeys.at(-1)!) {
      passkey.counter = deviation.counter ?? passkey.counter + 1;
      const authData = head(deviation.rpId ?? options.rpId, flagsOf(deviation), passkey.counter);
      const clientDataJSON = clientData('webauthn.get', options.challenge, origin, deviation);
      const signed = Buffer.concat([
        authData,
        createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest(),
      ]);
      const key = deviation.otherKey
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : passkey.privateKey;
      return answer(passkey, {
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(key).toString('base64url'),
        userHandle: passkey.userHandle,
      });
    },
  };
}

function answer<Response>({ id }: StoredPasskey, response: Response) {
  const text = id.toString('base64url');
  return { id: text, rawId: text, type: 'public-key', response, clientExtensionResults: {} };
}

function clientData(type: string, challenge: string, origin: string, deviation: Deviation): string {
  const data = {
    type,
    challenge: deviation.challenge ?? challenge,
    origin: deviation.origin ?? origin,
    crossOrigin: false,
  };
  return Buffer.from(JSON.stringify(data)).toString('base64url');
}

function flagsOf({ isVerified = true }: Deviation): number {
  return 0x01 | (isVerified ? 0x04 : 0);
}

function head(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
}

/** Encodes the head of a CBOR value: its major type and its number. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

const cborInt = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
