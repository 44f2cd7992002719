import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';

const root = path.dirname(import.meta.dirname);

/** How large the parts of the package are. */
export interface PackageSize {
  readonly bytes: number;
  readonly compressedBytes: number;
  readonly typeBytes: number;
}

/**
 * Builds the package that is published (`npm publish packages/client/dist`): one ES module and one
 * file of types, without dependencies. In the repository, the sources of the client are used.
 */
export async function buildPackage(directory: string): Promise<PackageSize> {
  await rm(directory, { recursive: true, force: true });
  await build({
    cwd: root,
    config: false,
    entry: { index: path.join(root, 'src/index.ts') },
    format: 'esm',
    // What both Node and browsers have.
    platform: 'neutral',
    target: 'es2022',
    tsconfig: path.join(root, 'tsconfig.json'),
    outDir: directory,
    dts: true,
    logLevel: 'error',
    report: false,
  });
  await writeFile(path.join(directory, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  await copyFile(path.join(root, 'README.md'), path.join(directory, 'README.md'));
  await copyFile(path.join(root, '../../LICENSE'), path.join(directory, 'LICENSE'));
  const script = await readFile(path.join(directory, 'index.js'));
  return {
    bytes: script.length,
    compressedBytes: gzipSync(script).length,
    typeBytes: (await stat(path.join(directory, 'index.d.ts'))).size,
  };
}

async function manifest(): Promise<object> {
  const source = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, description, license } = source;
  return {
    name,
    version,
    description,
    license,
    keywords: ['roster', 'contacts', 'audiences', 'client'],
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
    files: ['index.js', 'index.d.ts'],
    // AbortSignal.any.
    engines: { node: '>=20.3' },
  };
}
