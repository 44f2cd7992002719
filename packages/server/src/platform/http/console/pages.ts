import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy, createNonce, securityHeaders } from './security-headers.ts';

/** Vite writes this text into the page where the nonce belongs. */
const placeholder = '__CSP_NONCE__';

/** Shown while the console is being built, which takes some seconds after an update. */
const waitingPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Roster</title>
<p>The console is being built. This page loads again by itself.</p>
</html>
`;

/** Sends the page of the console, which is the same for all addresses below `/console`. */
export async function sendPage(directory: string, reply: FastifyReply): Promise<FastifyReply> {
  const nonce = createNonce();
  reply
    .headers(securityHeaders)
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .type('text/html; charset=utf-8');
  const page = await readFile(path.join(directory, 'index.html'), 'utf8').catch(() => undefined);
  if (page === undefined) return reply.code(503).header('retry-after', '2').header('refresh', '2').send(waitingPage);
  return reply.send(page.replaceAll(placeholder, nonce));
}

/** Tells whether a browser wants to show a page, and not to load a file or to call an API. */
export function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'];
  const acceptsPages = /\btext\/html\b/.test(headers.accept ?? '');
  return acceptsPages && (mode === undefined || mode === 'navigate');
}
