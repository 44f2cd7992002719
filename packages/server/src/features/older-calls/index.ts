import type { Feature } from '#platform/feature.ts';
import { contactCalls } from './contact-calls.ts';
import { erasureCall } from './erasure-call.ts';
import { uploadCall } from './upload-call.ts';

/** Calls of apiv2 that older clients still send (docs/contract/older-calls.md). */
export const olderCalls: Feature = { name: 'older-calls', olderCalls: [...contactCalls, uploadCall, erasureCall] };
