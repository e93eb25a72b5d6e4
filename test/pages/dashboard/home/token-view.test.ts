import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en } from '../../../../src/pages/dashboard/messages/en.js';
import { exactName, stateOf, titleOf, usableFor } from '../../../../src/pages/dashboard/home/token-view.js';
import { tokenBody as token } from '../../../support/token-body.js';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('a token in the list', () => {
  it('is titled by its names, and says so when it permits none', () => {
    assert.equal(titleOf(token(), en), 'keynote');
    assert.equal(titleOf(token({ streams: [{ streamName: '.*', isRegex: true }] }), en), 'names that match .*');
    assert.equal(titleOf(token({ streams: [] }), en), 'Permits no stream');
  });

  it('offers links only for a name that it spells out', () => {
    assert.equal(exactName(token({ streams: [{ streamName: '.*', isRegex: true }] })), undefined);
  });

  it('says that it cannot be read, and goes by its id then', () => {
    const fault = { code: 'stored_row_unreadable', message: '' };
    assert.equal(stateOf(token({ isActive: false, fault }), now), 'unreadable');
    assert.equal(titleOf(token({ id: 7, streams: [], fault }), en), '#7');
  });

  it('is expired from the very millisecond, and disabled otherwise', () => {
    assert.equal(stateOf(token({ expiresOn: new Date(now).toISOString() }), now), 'expired');
    assert.equal(stateOf(token({ expiresOn: new Date(now + 1).toISOString() }), now), 'active');
    assert.equal(stateOf(token({ isActive: false }), now), 'disabled');
  });
});

it('goes live again with a token that is there, unless it is off or for another name', () => {
  const usable = token();
  assert.equal(usableFor('keynote', [token({ isActive: false }), usable], now), usable);
  assert.equal(usableFor('other', [usable], now), undefined);
});
