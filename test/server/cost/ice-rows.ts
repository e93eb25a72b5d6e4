import fc from 'fast-check';
import { parseSdpFragment } from '../../../server/ingest/sdp-fragment.js';
import { costRow, repeated, type CheckedRow } from '../../support/cost.js';

const CREDENTIALS = 'a=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\n';

export const iceRows: readonly CheckedRow[] = [
  costRow({
    name: 'an SDP fragment of WHIP or WHEP that repeats any line',
    parsers: ['server/ingest/sdp-fragment.ts parseSdpFragment'],
    // `MAX_BODY_BYTES`
    limit: 64 * 1024,
    inputs: repeated(
      fc.constantFrom(
        CREDENTIALS,
        'm=audio 9 UDP/TLS/RTP/SAVPF 0\r\n',
        'a=mid:0\r\n',
        'a=x\r\n',
        'a=\r\n',
        '\r\n',
        '\r',
        'a=end-of-candidates\r\n',
        'a=candidate:1 1 udp 2113937151 10.0.0.1 9 typ host\r\n',
        'a=candidate:\r\n',
        ' ',
      ),
      { before: CREDENTIALS },
    ),
    read: parseSdpFragment,
  }),
];
