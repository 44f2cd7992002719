import { describeColumns } from '../mapping/suggest.ts';
import type { PreviewAnswer, PreviewRequest } from './preview.ts';
import { isValidUtf8, readBeginning, UnreadableFile } from './read-beginning.ts';

// A file can be large, and comparing 600 headers with 500 attributes takes a moment. So this runs
// in a worker, and the page stays usable.
addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => void answer(data));

async function answer({ file, encoding, delimiter, attributes, earlier }: PreviewRequest): Promise<void> {
  const say = (message: PreviewAnswer): void => postMessage(message);
  try {
    const { headers, rows, isCompressed, ...found } = await readBeginning(file, { encoding, delimiter });
    const { columns, preset } = describeColumns(headers, rows, { attributes, earlier });
    say({
      preview: {
        ...found,
        columns,
        rows: rows.slice(0, 10),
        preset: preset === undefined ? undefined : { id: preset.id, title: preset.title },
        optOut: [...(preset?.optOut ?? [])],
      },
    });
    if (found.encoding === 'utf-8') say({ checked: await isValidUtf8(file, isCompressed) });
  } catch (error) {
    say({ fault: error instanceof UnreadableFile ? error.fault : 'unreadable' });
  }
}
