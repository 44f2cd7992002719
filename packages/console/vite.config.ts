import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './build/mantine-styles.ts';
import { devServices } from './build/dev-session.ts';

/** Address of the service that `npm run dev` passes requests to. */
const service = process.env['ROSTER_URL'] ?? 'http://127.0.0.1:8080';

/** The modules of the frame. Everything that they import comes with them, so keep out large parts. */
const framed = [
  'shell/frame/account-shell',
  'shell/tray/progress-tray',
  'components/(layout|states)/[^/]+',
  'components/values/(date-time|key-values|stat-tile|status-badge)',
  'components/actions/(api-call-button|code-block|links)',
];

export default defineConfig({
  base: '/console/',
  plugins: [react(), mantineStyles(), devServices(service)],
  // The service replaces this text in each response. See platform/http/console of the server.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2024',
    // The policy of the page allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A page should need few files, so that it appears soon after the first request. So there
          // is one file for each page, one with the page for sign-in, one for the frame, and one
          // with the small modules that many pages share.
          groups: [
            { name: 'base', tags: ['$initial'] },
            { name: 'frame', test: new RegExp(`/src/(${framed.join('|')})\\.tsx$`) },
            { name: 'shared', maxModuleSize: 10_000, minShareCount: 5 },
          ],
        },
      },
    },
  },
});
