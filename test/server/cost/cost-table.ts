import type { CheckedRow } from '../../support/cost.js';
import { frameRows } from './frame-rows.js';
import { headerRows } from './header-rows.js';
import { iceRows } from './ice-rows.js';
import { packetRows } from './packet-rows.js';
import { pageRows } from './page-rows.js';
import { rtmpRows } from './rtmp-rows.js';
import { sdpRows } from './sdp-rows.js';
import { serviceRows } from './service-rows.js';
import { tokenRows } from './token-rows.js';

/** Everything that a stranger can send, each with its limit and with hostile inputs of that size. */
export const costTable: readonly CheckedRow[] = [
  ...sdpRows,
  ...iceRows,
  ...packetRows,
  ...frameRows,
  ...rtmpRows,
  ...headerRows,
  ...tokenRows,
  ...pageRows,
  ...serviceRows,
];
