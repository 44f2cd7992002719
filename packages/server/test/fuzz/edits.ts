import {
  childrenOf,
  isLarger,
  keyAt,
  pieceAt,
  placesOf,
  printTree,
  renameAt,
  repeatAt,
  replaceAt,
  type Entry,
  type Place,
  type Tree,
} from './json-tree.ts';

/**
 * One change to a body. `where` chooses a place of the tree: it is taken modulo the number of
 * places.
 */
export interface Edit {
  readonly kind: keyof typeof edits;
  readonly where: number;
  readonly with: Tree;
  readonly key: string;
  readonly number: number;
}

type Change = (tree: Tree, place: Place, edit: Edit) => Tree;

const edits = {
  replace: (tree, place, edit) => replaceAt(tree, place, () => edit.with),
  // Keeps the structure, so that many of these bodies are accepted and reach the pipeline.
  replaceScalar: (tree, _place, { where, with: value }) => {
    const scalars = placesOf(tree).filter((place) => childrenOf(pieceAt(tree, place)).length === 0);
    return replaceAt(tree, scalars[where % scalars.length] ?? [], () => value);
  },
  addAttribute: (tree, _place, { where, key, with: value }) => {
    const places = placesOf(tree).filter((place) => keyAt(tree, place) === 'attributes');
    const place = places[where % places.length];
    return place === undefined ? tree : addEntry(tree, place, [key, value]);
  },
  wrapInArray: (tree, place) => replaceAt(tree, place, (piece) => ({ kind: 'array', items: [piece] })),
  wrapInObject: (tree, place, { key }) =>
    replaceAt(tree, place, (piece) => ({ kind: 'object', entries: [[key, piece]] })),
  unwrap: (tree, place) => replaceAt(tree, place, (piece) => childrenOf(piece)[0] ?? piece),
  empty: (tree, place) =>
    replaceAt(tree, place, (piece) => {
      if (piece.kind === 'array') return { kind: 'array', items: [] };
      return piece.kind === 'object' ? { kind: 'object', entries: [] } : text('""');
    }),
  nest: (tree, place, { number }) =>
    replaceAt(tree, place, (piece) => {
      const depth = (number % 3000) + 2;
      return text(`${'['.repeat(depth)}${printTree(piece)}${']'.repeat(depth)}`);
    }),
  nestObjects: (tree, place, { number, key }) =>
    replaceAt(tree, place, (piece) => {
      const depth = (number % 3000) + 2;
      return text(`${`{${JSON.stringify(key)}:`.repeat(depth)}${printTree(piece)}${'}'.repeat(depth)}`);
    }),
  remove: (tree, place) => repeatAt(tree, place, 0),
  repeat: (tree, place, { number }) => repeatAt(tree, place, [2, 2, 2, 3, 21, 51, 101, 1001][number % 8]!),
  rename: (tree, place, { key }) => renameAt(tree, place, () => key),
  upperCaseKey: (tree, place) => renameAt(tree, place, (key) => key.toUpperCase()),
  capitalKey: (tree, place) => renameAt(tree, place, (key) => ` ${key.charAt(0).toUpperCase()}${key.slice(1)} `),
  addEntry: (tree, place, { key, with: value }) => addEntry(tree, place, [key, value]),
  addItem: (tree, place, { with: value }) =>
    replaceAt(tree, place, (piece) => (piece.kind === 'array' ? { ...piece, items: [...piece.items, value] } : piece)),
  copy: (tree, place, { number }) => {
    const places = placesOf(tree);
    const other = pieceAt(tree, places[number % places.length]!);
    return replaceAt(tree, place, () => other);
  },
  asText: (tree, place) =>
    replaceAt(tree, place, (piece) => (piece.kind === 'text' ? text(JSON.stringify(piece.text)) : piece)),
  asNumber: (tree, place, { number }) => replaceAt(tree, place, () => text(String(number))),
  // Inserts into the middle of a valid text. This finds checks that only look at both ends.
  insertText: (tree, place, { with: value, number }) =>
    replaceAt(tree, place, (piece) => {
      const inserted = value.kind === 'text' && value.text.startsWith('"') ? value.text.slice(1, -1) : '\\u0000';
      if (piece.kind !== 'text' || !piece.text.startsWith('"') || piece.text.includes('\\')) return piece;
      const at = 1 + (number % (piece.text.length - 1));
      return text(piece.text.slice(0, at) + inserted + piece.text.slice(at));
    }),
  decompose: (tree, place) =>
    replaceAt(tree, place, (piece) => (piece.kind === 'text' ? text(piece.text.normalize('NFD')) : piece)),
} satisfies Record<string, Change>;

function addEntry(tree: Tree, place: Place, entry: Entry): Tree {
  return replaceAt(tree, place, (piece) =>
    piece.kind === 'object' ? { ...piece, entries: [...piece.entries, entry] } : piece,
  );
}

function text(piece: string): Tree {
  return { kind: 'text', text: piece };
}

/** All kinds of edits. */
export const editKinds = Object.keys(edits) as readonly Edit['kind'][];

// More than any body may have. Without this limit, repeats of repeats would use up the memory.
const largest = 20 * 1024 * 1024;

/**
 * Changes a tree. Returns the tree unchanged if the result would be larger than any body may be.
 */
export function applyEdit(tree: Tree, edit: Edit): Tree {
  const places = placesOf(tree);
  const changed = edits[edit.kind](tree, places[edit.where % places.length]!, edit);
  return isLarger(changed, largest) ? tree : changed;
}
