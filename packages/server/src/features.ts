import { activities } from './activities/index.ts';
import { attributeIndexes } from './attribute-indexes/index.ts';
import { backups } from './backups/index.ts';
import { batchAdd } from './batch-add/index.ts';
import { contacts } from './contacts/index.ts';
import { callbacks } from './delivery/index.ts';
import { erasures } from './erasures/index.ts';
import { exports } from './exports/index.ts';
import type { Feature } from './feature.ts';
import { imports } from './imports/index.ts';
import { indexSizes } from './index-sizes/index.ts';
import { mails } from './mails/index.ts';
import { search } from './search/index.ts';
import { signUps } from './sign-ups/index.ts';

/** All features of the service. Each may import those before it, and none after it. */
export const features: readonly Feature[] = [
  search,
  contacts,
  attributeIndexes,
  indexSizes,
  activities,
  callbacks,
  mails,
  signUps,
  batchAdd,
  exports,
  imports,
  erasures,
  backups,
];
