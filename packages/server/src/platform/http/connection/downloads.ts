import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Milliseconds for which downloads may continue during a stop. A stop takes nine seconds. */
const stopTimeout = 5000;

/**
 * Ends the downloads of an application that take longer than a stop can wait. Returns a function
 * that registers a download.
 */
export function endDownloadsAtStop(app: FastifyInstance): (content: Readable) => Readable {
  const downloads = new Set<Readable>();
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const content of downloads) content.destroy(new Error('the service stops'));
    }, stopTimeout).unref();
  });
  return (content) => {
    downloads.add(content);
    content.once('close', () => downloads.delete(content));
    return content;
  };
}
