import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

/** How a program that a machine may have has ended. */
export interface ToolResult {
  readonly status: number | null;
  /** What it wrote to both outputs. */
  readonly output: string;
}

/** Runs a program that not every machine has; undefined where there is none. */
export function runTool(
  program: string,
  args: readonly string[],
  options: Pick<SpawnSyncOptions, 'cwd' | 'env' | 'uid' | 'gid'> = {},
): ToolResult | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (error !== undefined) return undefined;
  return { status, output: stdout + stderr };
}

/** Like {@link runTool}, for what must be there and must succeed; answers its output. */
export function mustRun(...call: Parameters<typeof runTool>): string {
  const result = runTool(...call);
  if (result?.status !== 0) throw new Error(`${call[0]} ${call[1].join(' ')}: ${result?.output ?? 'not found'}`);
  return result.output;
}
