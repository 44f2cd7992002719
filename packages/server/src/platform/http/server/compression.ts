import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Bytes. Smaller responses are not compressed, because that would cost more than it saves. */
const threshold = 4096;

/**
 * Compresses large responses for clients that accept gzip. Call it before the routes.
 *
 * Routes of files switch it off (`compress: false`), because ranges count uncompressed bytes.
 *
 * An attacker can learn a secret from the compressed size if a browser sends requests for the
 * attacker, and the response contains both the secret and text of the attacker (BREACH). The cookie
 * of a session is `SameSite=Lax`, so requests from other sites to the API have no session. Pages and
 * files of the console contain no secrets.
 */
export async function compressResponses(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold,
    // Level 3 takes half the time of the default level and makes a few percent more bytes.
    encodings: ['gzip'],
    zlibOptions: { level: 3 },
    customTypes: /^application\/openmetrics-text\b/,
    // Large responses are compressed outside the event loop.
    syncThreshold: 16_384,
    globalDecompression: false,
  });
}
