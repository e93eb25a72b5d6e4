import type { CheckedRow } from '../../support/cost.js';
import { iceRows } from './ice-rows.js';
import { sdpRows } from './sdp-rows.js';

/** Everything that a stranger can send, each with its limit and with hostile inputs of that size. */
export const costTable: readonly CheckedRow[] = [...sdpRows, ...iceRows];
