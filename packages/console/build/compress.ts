import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Bytes. A smaller file fits into one packet in any case. */
const threshold = 1024;

/** Writes a `.br` and a `.gz` file next to each file of a build that browsers load. */
export async function compressFiles(directory: string): Promise<void> {
  const files: string[] = [];
  for await (const file of glob('**/*.{js,css,svg}', { cwd: directory })) files.push(path.join(directory, file));
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      if (content.length < threshold) return;
      // Level 11 takes twice as long, for 1.5 %.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      await writeFile(`${file}.br`, await brotli(content, { params }));
      await writeFile(`${file}.gz`, await zip(content, { level: 9 }));
    }),
  );
}
