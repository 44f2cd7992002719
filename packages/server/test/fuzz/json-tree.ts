/**
 * JSON as a tree of texts. It can print JSON that no JavaScript value holds: a repeated key, 1e999,
 * -0, numbers above 2^53.
 */
export type Tree =
  /** A number, string, boolean or null, as the text in the document. The text may be invalid. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly entries: readonly Entry[] };

/** A key with its value. */
export type Entry = readonly [key: string, value: Tree];

/** The path to a piece of a tree: its index in each parent, from the root down. */
export type Place = readonly number[];

/** Returns the tree of a value. */
export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(treeOf) };
  if (typeof value === 'object' && value !== null) {
    return { kind: 'object', entries: Object.entries(value).map(([key, part]): Entry => [key, treeOf(part)]) };
  }
  return { kind: 'text', text: JSON.stringify(value) };
}

/** Prints a tree as JSON. */
export function printTree(tree: Tree): string {
  if (tree.kind === 'text') return tree.text;
  if (tree.kind === 'array') return `[${tree.items.map(printTree).join(',')}]`;
  return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}:${printTree(value)}`).join(',')}}`;
}

/** Returns true if the JSON of a tree has more than `limit` characters. Does not print the tree. */
export function isLarger(tree: Tree, limit: number): boolean {
  let left = limit;
  const take = (piece: Tree): void => {
    if (left < 0) return;
    if (piece.kind === 'text') left -= piece.text.length;
    else if (piece.kind === 'array') piece.items.forEach(take);
    else {
      for (const [key, value] of piece.entries) {
        left -= key.length;
        take(value);
      }
    }
    left -= 2 + childrenOf(piece).length;
  };
  take(tree);
  return left < 0;
}

/** Returns the direct children of a tree. */
export function childrenOf(tree: Tree): readonly Tree[] {
  if (tree.kind === 'text') return [];
  return tree.kind === 'array' ? tree.items : tree.entries.map(([, value]) => value);
}

/** Returns every place of a tree, the root first. */
export function placesOf(tree: Tree): Place[] {
  const below = childrenOf(tree).flatMap((child, at) => placesOf(child).map((place) => [at, ...place]));
  return [[], ...below];
}

/** Returns the piece at a place. */
export function pieceAt(tree: Tree, place: Place): Tree {
  const [first, ...rest] = place;
  return first === undefined ? tree : pieceAt(childrenOf(tree)[first]!, rest);
}

/** Returns the key of a piece, or undefined for the root and for items of arrays. */
export function keyAt(tree: Tree, place: Place): string | undefined {
  const parent = pieceAt(tree, place.slice(0, -1));
  const last = place.at(-1);
  return last === undefined || parent.kind !== 'object' ? undefined : parent.entries[last]?.[0];
}

/** Returns the tree with another piece at a place. */
export function replaceAt(tree: Tree, place: Place, change: (piece: Tree) => Tree): Tree {
  const [first, ...rest] = place;
  if (first === undefined) return change(tree);
  if (tree.kind === 'array') {
    return { ...tree, items: tree.items.map((item, at) => (at === first ? replaceAt(item, rest, change) : item)) };
  }
  if (tree.kind === 'text') return tree;
  return {
    ...tree,
    entries: tree.entries.map(([key, value], at): Entry => [
      key,
      at === first ? replaceAt(value, rest, change) : value,
    ]),
  };
}

/**
 * Returns the tree with `times` copies of the piece at a place, or without it for 0. In an object
 * the copies have the same key.
 */
export function repeatAt(tree: Tree, place: Place, times: number): Tree {
  const parent = place.slice(0, -1);
  const last = place.at(-1);
  if (last === undefined) return tree;
  const repeat = <T>(parts: readonly T[]): T[] =>
    parts.flatMap((part, at) => (at === last ? Array.from({ length: times }, () => part) : [part]));
  return replaceAt(tree, parent, (piece) => {
    if (piece.kind === 'array') return { ...piece, items: repeat(piece.items) };
    return piece.kind === 'object' ? { ...piece, entries: repeat(piece.entries) } : piece;
  });
}

/**
 * Returns the tree with another key for the piece at a place. Changes nothing for items of arrays.
 */
export function renameAt(tree: Tree, place: Place, rename: (key: string) => string): Tree {
  const last = place.at(-1);
  if (last === undefined) return tree;
  return replaceAt(tree, place.slice(0, -1), (piece) => {
    if (piece.kind !== 'object') return piece;
    return {
      ...piece,
      entries: piece.entries.map(([key, value], at): Entry => [at === last ? rename(key) : key, value]),
    };
  });
}
