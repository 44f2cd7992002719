import { randomBytes } from 'node:crypto';

/** Returns a nonce for the style elements of one response: 128 random bits. */
export const createNonce = (): string => randomBytes(16).toString('base64');

/** Returns the `Content-Security-Policy` of a page. Only style elements with the nonce are allowed. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** The headers of all files of the console, besides those of every response. */
export const securityHeaders: Readonly<Record<string, string>> = {
  // For browsers that do not know frame-ancestors.
  'x-frame-options': 'DENY',
  // Addresses of pages have ids and filters. Other sites must not see them.
  'referrer-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
