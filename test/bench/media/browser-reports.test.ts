import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BrowserReports } from '../../../bench/media/browser-reports.js';
import { rtpPacket } from '../../support/media/rtp.js';

it('the reports of a benchmark viewer end when its connection is closed, and do not throw', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let attempts = 0;
  const reports = new BrowserReports(() => {
    attempts += 1;
    throw new Error('Track is closed');
  });
  reports.receive(rtpPacket({ sequence: 1, timestamp: 0, ssrc: 7, marker: true, payload: Buffer.alloc(10) }));
  for (let second = 0; second < 4; second += 1) t.mock.timers.tick(1_000);
  assert.equal(attempts, 1);
});
