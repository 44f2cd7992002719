import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { valueIfMissing } from '#platform/errors/system-error-code.ts';
import { anchorOf, type LinkTarget } from './markdown/markdown.ts';

/** The folder of the repository or of the image, which has `docs/`. */
export const documentationRoot = path.join(import.meta.dirname, '../../../../../..');

/** Documents outside of `docs/`, and their paths below `/docs`. */
const others: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog',
  'SECURITY.md': 'security',
  'packages/client/README.md': 'client',
};

/** A document in Markdown. */
export interface Document {
  /** The file, relative to the root, such as `docs/guides/marketer.md`. */
  readonly file: string;
  /** The path below `/docs`, such as `guides/marketer`; empty for the first page. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** The sections: texts and anchors of the headings of level two. */
  readonly sections: readonly { readonly title: string; readonly anchor: string }[];
}

/** All documents by their paths below `/docs`. */
export type Documents = ReadonlyMap<string, Document>;

/** Reads all documents. It returns none if there is no `docs/`, as in a package without it. */
export async function readDocuments(): Promise<Documents> {
  const names = await readdir(path.join(documentationRoot, 'docs'), { recursive: true }).catch(
    valueIfMissing<string[]>([]),
  );
  const pages = names.filter((name) => name.endsWith('.md')).map((name) => path.posix.join('docs', name));
  const files = pages.length === 0 ? [] : [...pages.sort(), ...Object.keys(others)];
  const documents = await Promise.all(files.map((file) => readDocument(file)));
  return new Map(documents.map((document) => [document.path, document]));
}

async function readDocument(file: string): Promise<Document> {
  const text = await readFile(path.join(documentationRoot, file), 'utf8');
  const headings = (marks: string): string[] =>
    Array.from(text.matchAll(new RegExp(`^${marks} (.*)$`, 'gm')), ([, heading]) => heading!);
  return {
    file,
    path: pathOf(file),
    title: plain(headings('#')[0] ?? file),
    text,
    sections: headings('##').map((heading) => ({ title: plain(heading), anchor: anchorOf(heading) })),
  };
}

function pathOf(file: string): string {
  return (
    others[file] ??
    file
      .replace(/^docs\//, '')
      .replace(/\.md$/, '')
      .replace(/(?:^|\/)README$/, '')
  );
}

/** Returns a heading without the marks of code and links. */
function plain(heading: string): string {
  return heading.replaceAll(/`/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/**
 * Returns where a link in a file leads in the service. A link to a file that the service does not
 * show is undefined.
 */
export function resolveLink(documents: Documents, from: string, target: string): LinkTarget | undefined {
  if (/^(?:https?:|mailto:|#)/.test(target)) return { address: target };
  const [name, anchor] = target.split('#', 2);
  const file = path.posix.join(path.posix.dirname(from), name!);
  if (file === 'docs/openapi.json') return { address: '/openapi.json' };
  if (file.startsWith('docs/images/')) return { address: `/docs/images/${path.posix.basename(file)}` };
  const document = documents.get(pathOf(file));
  if (document?.file !== file) return undefined;
  const hash = anchor === undefined ? '' : `#${anchor}`;
  return { address: `${addressOf(document.path)}${hash}`, title: document.title };
}

/** Returns the address of a path below `/docs`. */
export function addressOf(page: string): string {
  return page === '' ? '/docs' : `/docs/${page}`;
}
