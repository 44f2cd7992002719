/** A place in S3: a bucket and a prefix of its keys. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or ends with `/`. */
  readonly prefix: string;
}

/** Reads `s3://bucket/prefix`; throws an Error that says what is allowed. */
export function readS3Place(text: string): S3Place {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/.exec(text);
  if (match === null) throw new Error('must be s3://bucket or s3://bucket/prefix');
  const prefix = (match[2] ?? '').replaceAll(/^\/+|\/+$/g, '');
  return { bucket: match[1]!, prefix: prefix === '' ? '' : `${prefix}/` };
}
