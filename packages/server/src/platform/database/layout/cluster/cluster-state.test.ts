import { expect, test } from 'vitest';
import { nodeUrl } from './cluster-state.ts';

test.each([
  ['10.0.0.7', 'postgres://roster:secret@10.0.0.7:5433/roster?sslmode=require'],
  ['node1', 'postgres://roster:secret@node1:5433/roster?sslmode=require'],
  ['fd00::7', 'postgres://roster:secret@[fd00::7]:5433/roster?sslmode=require'],
  ['[fd00::7]', 'postgres://roster:secret@[fd00::7]:5433/roster?sslmode=require'],
])('the URL of the node %s has its address and port, and all else of the coordinator', (host, url) => {
  expect(nodeUrl('postgres://roster:secret@coordinator:5432/roster?sslmode=require', { host, port: 5433 })).toBe(url);
});
