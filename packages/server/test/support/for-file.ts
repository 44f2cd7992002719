import { afterAll } from 'vitest';

/**
 * Returns a resource that all tests of a file use, and disposes it after them. It is for the top
 * level of a test file: `const service = await forFile(startTestService());`. The resource that was
 * started last is disposed first.
 */
export async function forFile<Resource extends AsyncDisposable>(
  starting: Resource | Promise<Resource>,
): Promise<Resource> {
  const resource = await starting;
  afterAll(() => resource[Symbol.asyncDispose]());
  return resource;
}
