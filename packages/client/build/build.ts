// `npm run build -w packages/client`: the package that is published, in packages/client/dist.
import path from 'node:path';
import { buildPackage } from './package.ts';

const directory = path.join(import.meta.dirname, '../dist');
const { bytes, compressedBytes, typeBytes } = await buildPackage(directory);
const kilobytes = (size: number): string => `${(size / 1000).toFixed(1)} kB`;
process.stdout.write(
  `${directory}: ${kilobytes(bytes)} of JavaScript (${kilobytes(compressedBytes)} with gzip), ${kilobytes(typeBytes)} of types\n`,
);
