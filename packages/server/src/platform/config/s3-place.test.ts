import { expect, test } from 'vitest';
import { readS3Place } from './s3-place.ts';

test.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '' }],
  ['s3://bucket/', { bucket: 'bucket', prefix: '' }],
  ['s3://my.bucket-1/a/b', { bucket: 'my.bucket-1', prefix: 'a/b/' }],
  ['s3://bucket//a/', { bucket: 'bucket', prefix: 'a/' }],
])('the S3 place %s is read as %j', (text, place) => {
  expect(readS3Place(text)).toEqual(place);
});

test.each([
  '',
  'bucket',
  's3:bucket',
  's3://',
  's3://B',
  's3://a',
  's3://bucket/a b',
  's3://bucket/ü',
  'https://bucket',
])('the S3 place %j is refused', (text) => {
  expect(() => readS3Place(text)).toThrow('s3://bucket/prefix');
});
