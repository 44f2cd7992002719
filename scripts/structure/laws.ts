import path from 'node:path';
import type { Import, Sources } from './imports.ts';

/** The tiers of the server, the lowest first. A tier does not import from tiers above it. */
const tiers = ['platform', 'pipeline', 'features', 'app'] as const;

/** Maximum number of files in a folder, without tests. */
const filesPerFolder = 15;

const server = 'server/src/';

/** The layers of the web console, the lowest first. A layer does not import from layers above it. */
const consoleLayers = ['texts', 'api', 'components', 'shell', 'pages', 'app'] as const;

const webConsole = 'console/src/';

/** Returns a line for each violation of the laws. `features` are the names of features in order. */
export function brokenLaws(sources: Sources, features: readonly string[]): string[] {
  return [
    ...tierFaults(sources),
    ...consoleFaults(sources),
    ...featureFaults(sources, features),
    ...cycleFaults(sources),
    ...crowdedFolders(sources),
  ];
}

/** Finds imports from a higher tier, and files of the server outside of the tiers. */
export function tierFaults({ files, imports }: Sources): string[] {
  const strays = files.filter((file) => file.startsWith(server) && tierOf(file) === -1);
  const upwards = imports.filter(({ from, to }) => tierOf(from) !== -1 && tierOf(to) > tierOf(from));
  return [
    ...strays.map((file) => `${file} is outside of the tiers: move it to one of ${tiers.join(', ')}`),
    ...upwards.map(({ from, to }) => `${from} imports ${to}, which is in a tier above it`),
  ];
}

/** Finds imports in the web console from a higher layer, or from another folder of pages. */
export function consoleFaults({ files, imports }: Sources): string[] {
  const strays = files.filter((file) => file.startsWith(webConsole) && layerOf(file) === -1);
  const inside = imports.filter(({ from, to }) => layerOf(from) !== -1 && layerOf(to) !== -1);
  return [
    ...strays.map((file) => `${file} is outside of the layers: move it to one of ${consoleLayers.join(', ')}`),
    ...inside
      .filter(({ from, to }) => layerOf(to) > layerOf(from))
      .map(({ from, to }) => `${from} imports ${to}, which is in a layer above it`),
    ...inside
      .filter(
        ({ from, to }) => pagesOf(from) !== undefined && pagesOf(to) !== undefined && pagesOf(from) !== pagesOf(to),
      )
      .map(({ from, to }) => `${from} imports ${to} of other pages: move the shared part to components`),
  ];
}

/** Finds imports of later features, unlisted features, and listed features without a folder. */
export function featureFaults({ files, imports }: Sources, features: readonly string[]): string[] {
  const folders = new Set(files.flatMap((file) => featureOf(file) ?? []));
  const later = imports.filter(({ from, to }) => {
    const [user, used] = [featureOf(from), featureOf(to)];
    if (user === undefined || used === undefined || !features.includes(user)) return false;
    return features.indexOf(used) > features.indexOf(user);
  });
  return [
    ...[...folders]
      .filter((name) => !features.includes(name))
      .map((name) => `the feature ${name} is not in app/features.ts: add it there`),
    ...features
      .filter((name) => !folders.has(name))
      .map((name) => `the feature ${name} in app/features.ts has no folder`),
    ...later.map(({ from, to }) => `${from} imports ${to}, whose feature comes later in app/features.ts`),
  ];
}

/**
 * Finds folders that import each other by value, directly or indirectly.
 *
 * Looks at the parts of each folder: every subfolder with all its contents is a part, and the own
 * files of the folder together are another part (`.`).
 */
export function cycleFaults({ files, imports }: Sources): string[] {
  const folders = new Set(files.flatMap(foldersAround));
  return [...folders].toSorted().flatMap((folder) => {
    const graph = graphInside(folder, imports);
    const inCycles = [...graph.keys()].filter((part) => reachable(graph, part).has(part));
    if (inCycles.length === 0) return [];
    const examples = inCycles.flatMap((from) =>
      Array.from(graph.get(from)!, ([to, { from: user, to: used }]) => ({ from, to, user, used })).filter(
        ({ to }) => inCycles.includes(to) && reachable(graph, to).has(from),
      ),
    );
    return [
      `parts of ${folder} import each other: ${inCycles.join(', ')}`,
      ...examples.map(({ from, to, user, used }) => `  ${from} → ${to}: ${user} imports ${used}`),
    ];
  });
}

/** Finds folders with too many files. */
export function crowdedFolders({ files }: Sources): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return Array.from(counts).flatMap(([folder, count]) =>
    count > filesPerFolder ? `${folder} has ${count} files, more than ${filesPerFolder}: divide it` : [],
  );
}

/** Returns the index of the tier of a server file; -1 for other files. */
function tierOf(file: string): number {
  if (!file.startsWith(server)) return -1;
  return tiers.indexOf(file.slice(server.length).split('/')[0] as (typeof tiers)[number]);
}

/** Returns the index of the layer of a console file; -1 for other files. */
function layerOf(file: string): number {
  if (!file.startsWith(webConsole)) return -1;
  return consoleLayers.indexOf(file.slice(webConsole.length).split('/')[0] as (typeof consoleLayers)[number]);
}

function pagesOf(file: string): string | undefined {
  return /^console\/src\/pages\/([^/]+)\//.exec(file)?.[1];
}

function featureOf(file: string): string | undefined {
  return /^server\/src\/features\/([^/]+)\//.exec(file)?.[1];
}

/** Returns the folders around a file, at every depth. `.` contains all packages. */
function foldersAround(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return ['.', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

/** For each part of a folder, the other parts that it imports by value, with an example. */
type Graph = Map<string, Map<string, Import>>;

function graphInside(folder: string, imports: readonly Import[]): Graph {
  const graph: Graph = new Map();
  for (const one of imports) {
    if (!one.byValue) continue;
    const [from, to] = [partOf(folder, one.from), partOf(folder, one.to)];
    if (from === undefined || to === undefined || from === to) continue;
    const used = graph.get(from) ?? new Map<string, Import>();
    if (!used.has(to)) used.set(to, one);
    graph.set(from, used);
  }
  return graph;
}

/** Returns the part of a folder that contains a file: a subfolder or `.`; undefined if none does. */
function partOf(folder: string, file: string): string | undefined {
  const inside = folder === '.' ? file : file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;
  if (inside === undefined) return undefined;
  return inside.includes('/') ? inside.split('/')[0] : '.';
}

/** Returns the parts that a part imports, directly or indirectly. */
function reachable(graph: Graph, start: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const next of graph.get(part)?.keys() ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}
