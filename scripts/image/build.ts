import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Ignore } from '@balena/dockerignore';
import dockerignore from '@balena/dockerignore';
import { DockerfileParser, type Copy, type From, type Instruction, type JSONInstruction } from 'dockerfile-ast';

/** A stage of a Dockerfile, built. */
export interface Stage {
  /** Where its root directory is; what the base image has is not in it. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** The command of the health check. */
  readonly healthcheck: readonly string[];
}

/**
 * Does what a Dockerfile says, in directories below `directory` instead of in layers, and answers the last stage.
 *
 * The base image is this machine: only what commands write below their working directory ends up in the stage. Owners are left out.
 * Throws when an instruction is unknown, a command fails, or something that is copied is not there, because it is ignored for example.
 */
export async function buildImage(source: string, directory: string): Promise<Stage> {
  const context = path.join(directory, 'context');
  await copyContext(source, context);
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  const text = await readFile(path.join(source, 'Dockerfile'), 'utf8');
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      const from = instruction as From;
      const name = from.getBuildStage() ?? 'last';
      stage = await begin(stages.get(from.getImage()!), path.join(directory, name));
      stages.set(name, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${keyword} stands before FROM`);
    const next: Stage = { ...stage, ...(await follow(instruction, stage, stages, context)) };
    // The stage may be named already, for those that build on it.
    for (const [name, one] of stages) if (one === stage) stages.set(name, next);
    stage = next;
  }
  if (stage === undefined) throw new Error('there is no FROM');
  return stage;
}

/** The files of a checkout that .dockerignore lets through. */
async function copyContext(source: string, context: string): Promise<void> {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: source,
    encoding: 'utf8',
  });
  // The types describe an ES module, but it is a CommonJS one.
  const rules = (dockerignore as unknown as () => Ignore)();
  rules.add(await readFile(path.join(source, '.dockerignore'), 'utf8'));
  const files = rules.filter(stdout.split('\0').filter((file) => file !== ''));
  for (const file of files) await cp(path.join(source, file), path.join(context, file));
}

async function begin(base: Stage | undefined, root: string): Promise<Stage> {
  await mkdir(root);
  if (base === undefined) {
    return { root, workdir: '/', env: {}, user: 'root', entrypoint: [], command: [], healthcheck: [] };
  }
  await cp(base.root, root, { recursive: true, verbatimSymlinks: true });
  return { ...base, root };
}

async function follow(
  instruction: Instruction,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
  context: string,
): Promise<Partial<Stage>> {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  const json = (): string[] =>
    (instruction as JSONInstruction).getJSONStrings().map((argument) => JSON.parse(argument.getValue()) as string);
  switch (instruction.getKeyword()) {
    case 'WORKDIR': {
      const workdir = path.resolve(stage.workdir, words[0]!);
      await mkdir(path.join(stage.root, workdir), { recursive: true });
      return { workdir };
    }
    case 'COPY':
      await copy(instruction as Copy, words, stage, stages, context);
      return {};
    case 'RUN':
      run(instruction.getArgumentsContent()!, stage);
      return {};
    case 'ENV':
      return {
        env: { ...stage.env, ...Object.fromEntries(words.map((word) => word.split('=', 2) as [string, string])) },
      };
    case 'USER':
      return { user: words[0]! };
    case 'ENTRYPOINT':
      return { entrypoint: json() };
    case 'CMD':
      return { command: json() };
    case 'HEALTHCHECK':
      return { healthcheck: JSON.parse(/CMD (\[.*\])\s*$/s.exec(instruction.getArgumentsContent()!)![1]!) as string[] };
    case 'VOLUME':
    case 'EXPOSE':
      return {};
    default:
      throw new Error(`no idea how to follow ${instruction.getKeyword()}`);
  }
}

async function copy(
  instruction: Copy,
  words: readonly string[],
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
  context: string,
): Promise<void> {
  const flags = new Map(instruction.getFlags().map((flag) => [flag.getName(), flag.getValue()!]));
  const from = flags.get('from');
  const base = from === undefined ? context : stages.get(from)!.root;
  const target = path.join(stage.root, path.resolve(stage.workdir, words.at(-1)!));
  const intoDirectory = words.at(-1)!.endsWith('/') || words.length > 2;
  for (const word of words.slice(0, -1)) {
    const source = path.join(base, word);
    const isDirectory = (await stat(source)).isDirectory();
    // Of a directory the content is copied.
    const to = !isDirectory && intoDirectory ? path.join(target, path.basename(source)) : target;
    await mkdir(path.dirname(to), { recursive: true });
    await cp(source, to, { recursive: true, verbatimSymlinks: true });
  }
  const mode = flags.get('chmod');
  if (mode !== undefined) await chmod(target, Number.parseInt(mode, 8));
}

function run(command: string, { root, workdir, env }: Stage): void {
  const { status } = spawnSync('/bin/sh', ['-c', command], {
    cwd: path.join(root, workdir),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}`);
}
