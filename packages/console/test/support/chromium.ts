import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Debian and others install Chromium. The headless shell needs half the CPU time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/**
 * Starts the Chromium of this machine: the program in `CHROMIUM_PATH`, or that of the system. Throws
 * with advice if there is none.
 */
export async function startChromium(): Promise<Browser> {
  const program = process.env['CHROMIUM_PATH'] ?? places.find((file) => existsSync(file));
  if (program === undefined || !existsSync(program)) {
    const missing = program === undefined ? '' : `CHROMIUM_PATH names ${program}, which does not exist. `;
    throw new Error(
      `${missing}The browser tests need Chromium. Install it (on Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH to its program.`,
    );
  }
  return await chromium.launch({
    executablePath: program,
    // Nothing listens there, so no request reaches another machine by its address.
    proxy: { server: 'http://127.0.0.1:9', bypass: '127.0.0.1,localhost' },
    args: [
      // Pages live too short for optimized code. Without it, the tests need a tenth less CPU time.
      '--js-flags=--no-opt --no-maglev',
      // The sandbox of Chromium does not work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // No name is looked up, except the name of this machine, which passkeys need.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}
