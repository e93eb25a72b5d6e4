import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenLine } from '../../../../server/cli/commands/token.js';
import { tokenBody } from '../../../../server/tokens/token-body.js';
import { aTokenRecord } from '../../../support/token.js';

const END = '2030-01-01T00:00:00.000Z';
const NOW = Date.parse(END);

describe('tokenLine', () => {
  const lineOf = (overrides: Parameters<typeof aTokenRecord>[0], now = NOW) =>
    tokenLine(tokenBody(aTokenRecord({ id: 7, ...overrides })), now);

  it('shows id, state, label and streams', () => {
    const streams = [
      { streamName: 'main', isRegex: false },
      { streamName: 'room-.*', isRegex: true },
    ];
    assert.equal(lineOf({ label: 'guests', streams }), '7\tactive\tguests\tmain, /room-.*/');
    assert.equal(lineOf({ streams: [] }), '7\tactive\t-\t(no stream)');
  });

  it('shows the expiry from the moment the token expires', () => {
    assert.equal(lineOf({ expiresOn: NOW }, NOW - 1), '7\tactive\t-\tmain');
    assert.equal(lineOf({ expiresOn: NOW }), `7\texpired ${END}\t-\tmain`);
  });

  it('shows a disabled token as disabled, also if it has expired', () => {
    assert.equal(lineOf({ isActive: false, expiresOn: NOW - 1 }), '7\tdisabled\t-\tmain');
  });
});
