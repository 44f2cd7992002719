import { describeColumns } from '../mapping/suggest.ts';
import type { Preview, PreviewAnswer, PreviewRequest } from './preview.ts';
import { checkUtf8, readBeginning, UnreadableFile } from './read-beginning.ts';

// A file can be large, and comparing 600 headers with 500 attributes takes a moment. So this runs
// in a worker, and the page stays usable.
addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => void answer(data));

async function answer(request: PreviewRequest): Promise<void> {
  const say = (message: PreviewAnswer): void => postMessage(message);
  try {
    const { file } = request;
    const { preview, isCompressed } = await previewOf(request);
    say({ preview });
    if (preview.encoding !== 'utf-8' && !preview.isGuessed) return;
    const utf8 = await checkUtf8(file, isCompressed);
    // The beginning has no characters in UTF-8, but the rest has.
    if (preview.isGuessed && utf8.hasCharacters)
      say({ preview: (await previewOf({ ...request, encoding: 'utf-8' })).preview });
    say({ utf8 });
  } catch (error) {
    say({ fault: error instanceof UnreadableFile ? error.fault : 'unreadable' });
  }
}

async function previewOf({
  file,
  encoding,
  delimiter,
  attributes,
  earlier,
}: PreviewRequest): Promise<{ readonly preview: Preview; readonly isCompressed: boolean }> {
  const { headers, rows, isCompressed, ...found } = await readBeginning(file, { encoding, delimiter });
  const { columns, preset } = describeColumns(headers, rows, { attributes, earlier });
  const preview = {
    ...found,
    columns,
    rows: rows.slice(0, 10),
    preset: preset === undefined ? undefined : { id: preset.id, title: preset.title },
    optOut: [...(preset?.optOut ?? [])],
  };
  return { preview, isCompressed };
}
