// Starts an embedded PostgreSQL with the options in its first argument (JSON), prints the result in
// one line of JSON, and holds the server until SIGTERM.
import { EmbeddedPostgresError } from '../../src/errors/embedded-postgres-error.ts';
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts';

const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
const options = JSON.parse(process.argv[2] ?? '') as { dataDir: string; settings: Record<string, string> };
try {
  const server = await startEmbeddedPostgres({ ...options, signal: stopping.signal });
  const { url, pid, clusterDir, isNew } = server;
  process.stdout.write(`${JSON.stringify({ url, pid, clusterDir, isNew })}\n`);
  stopping.signal.addEventListener('abort', () => void server.stop());
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  process.stdout.write(`${JSON.stringify({ code: error.code, message: error.message })}\n`);
  process.exitCode = 1;
}
