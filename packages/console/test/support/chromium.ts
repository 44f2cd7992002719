import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Debian and others install Chromium. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Starts the Chromium of this machine. Throws with advice if there is none. */
export async function startChromium(): Promise<Browser> {
  const program = process.env['CHROMIUM_PATH'] ?? places.find((file) => existsSync(file));
  if (program === undefined) {
    throw new Error('The browser tests need Chromium. Install it (apt-get install chromium), or set CHROMIUM_PATH.');
  }
  return await chromium.launch({
    executablePath: program,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
