import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './build/mantine-styles.ts';
import { devServices } from './build/dev-session.ts';

/** Address of the service that `npm run dev` passes requests to. */
const service = process.env['ROSTER_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react(), mantineStyles(path.join(import.meta.dirname, 'src')), devServices(service)],
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
          // What every page needs is one file: many small files are larger when they are compressed.
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|react-i18next|i18next|@tanstack\/(router-core|react-router|history|store|react-store|query-core|react-query))\//,
            },
          ],
        },
      },
    },
  },
});
