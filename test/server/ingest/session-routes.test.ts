import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ifMatch } from '../../../server/ingest/session-routes.js';

describe('If-Match', () => {
  it('matches the tag itself, alone or in a list', () => {
    assert.equal(ifMatch('"one"', 'one'), 'matches');
    assert.equal(ifMatch('"zero", "one" ,"two"', 'one'), 'matches');
  });

  it('matches anything with an asterisk, which RFC 9725 puts in quotes', () => {
    assert.equal(ifMatch('*', 'one'), 'matches');
    assert.equal(ifMatch('"*"', 'one'), 'matches');
  });

  it('matches no other tag, no weak one, and none without quotes', () => {
    for (const header of ['"two"', 'W/"one"', 'one', '', '"', '"one', '"ones"']) {
      assert.equal(ifMatch(header, 'one'), 'differs', header);
    }
  });

  it('says when there is none', () => {
    assert.equal(ifMatch(undefined, 'one'), 'absent');
  });
});
