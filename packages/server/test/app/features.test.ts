import path from 'node:path';
import { expect, test } from 'vitest';
import { features } from '#app/features.ts';
import { readSources } from '../../../../scripts/structure/imports.ts';
import { startTestService } from '../support/service.ts';

const featureOf = (file: string): string | undefined => /^server\/src\/features\/([^/]+)\//.exec(file)?.[1];

/** The features that no other feature imports. */
async function optionalFeatures(): Promise<string[]> {
  const { imports } = await readSources(path.join(import.meta.dirname, '../../../../packages'));
  const used = new Set(
    imports.flatMap(({ from, to }) => {
      const [user, feature] = [featureOf(from), featureOf(to)];
      return user === undefined || feature === undefined || user === feature ? [] : feature;
    }),
  );
  return features.map(({ name }) => name).filter((name) => !used.has(name));
}

test('each feature is listed once, and some features can be left out', async () => {
  expect(await optionalFeatures()).toEqual(expect.arrayContaining(['exports', 'sign-ups', 'backups']));
  expect(new Set(features.map(({ name }) => name)).size).toBe(features.length);
});

test.each(await optionalFeatures())('the service runs without the feature %s', async (name) => {
  await using service = await startTestService({ features: features.filter((feature) => feature.name !== name) });
  await using _jobs = service.startJobs();
  const contact = { identity: 'asha@example.com' };
  const body = { data: { contact_type: 'identified', contacts: [contact] } };
  expect((await service.first.v5('/contact/create', body)).status).toBe(200);
  await service.settled();
  expect(await service.first.rows({ filtering_criteria: [] })).toHaveLength(1);
  expect((await service.call('GET', '/readyz')).status).toBe(200);
  const { paths } = (await service.call('GET', '/openapi.json')).body as { paths: Record<string, unknown> };
  expect(Object.keys(paths).length).toBeGreaterThan(30);
});
