import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deviceClassOf } from '../../../server/signalling/device-class.js';

const AGENTS = {
  phone: [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
  ],
  tablet: [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Mozilla/5.0 (iPad; CPU OS 15_0 like Mac OS X) AppleWebKit/605.1.15 Version/15.0 Mobile/15E148 Safari/604.1',
  ],
  tv: ['Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 Chrome/94.0 TV Safari/537.36'],
  desktop: [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ],
  unknown: ['', 'curl/8.5.0'],
} as const;

describe('the class of a device', () => {
  for (const [device, agents] of Object.entries(AGENTS)) {
    for (const agent of agents) {
      it(`is ${device} for "${agent}"`, () => {
        assert.equal(deviceClassOf(agent), device);
      });
    }
  }
  it('is unknown without the header', () => {
    assert.equal(deviceClassOf(undefined), 'unknown');
  });
});
