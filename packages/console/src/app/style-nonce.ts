/**
 * The nonce of this response. The policy of the page (Content-Security-Policy) allows style elements
 * only with it.
 */
export const styleNonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Libraries that lock scrolling behind a dialog read the nonce from this variable.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
