import { expect, test } from 'vitest';
import { tunedSettings } from '../src/server/tuned-settings.ts';

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

test('the settings depend on the machine: a quarter of its memory, and WAL that fits on its disk', () => {
  const settings = tunedSettings({
    memoryBytes: 8 * gibibyte,
    freeBytes: 100 * gibibyte,
    dataBytes: 10 * gibibyte,
    sharedMemoryBytes: 4 * gibibyte,
  });
  expect(settings).toMatchObject({
    shared_buffers: '2048MB',
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '8192MB',
    min_wal_size: '1024MB',
    dynamic_shared_memory_type: 'posix',
  });
  const large = tunedSettings({
    memoryBytes: 256 * gibibyte,
    freeBytes: 100 * gibibyte,
    dataBytes: 10 * gibibyte,
    sharedMemoryBytes: undefined,
  });
  expect(large['shared_buffers']).toBe('4096MB');
});

test('a small container gets settings with which PostgreSQL starts, and no POSIX shared memory', () => {
  const settings = tunedSettings({
    memoryBytes: 64 * mebibyte,
    freeBytes: 200 * mebibyte,
    dataBytes: 40 * mebibyte,
    sharedMemoryBytes: 64 * mebibyte,
  });
  expect(settings).toMatchObject({
    shared_buffers: '32MB',
    work_mem: '4MB',
    max_wal_size: '128MB',
    min_wal_size: '64MB',
    dynamic_shared_memory_type: 'mmap',
  });
});

test('a small database gets few shared buffers, and a larger one twice its size', () => {
  const buffersFor = (dataBytes: number) =>
    tunedSettings({
      memoryBytes: 16 * gibibyte,
      freeBytes: 100 * gibibyte,
      dataBytes,
      sharedMemoryBytes: undefined,
    })['shared_buffers'];
  expect(buffersFor(0)).toBe('1024MB');
  expect(buffersFor(500 * mebibyte)).toBe('1024MB');
  expect(buffersFor(gibibyte)).toBe('2048MB');
  expect(buffersFor(100 * gibibyte)).toBe('4096MB');
});
