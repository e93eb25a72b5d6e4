import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenLinks } from '../../../../server/tokens/import/token-links.js';
import { aTokenRecord } from '../../../support/token.js';

describe('the links of a new token', () => {
  const exact = (streamName: string) => ({ streamName, isRegex: false });
  const ofToken = (overrides: Parameters<typeof aTokenRecord>[0]) =>
    tokenLinks(aTokenRecord({ id: 7, accountId: 'acme', token: 'ab', ...overrides }), 'https://live.example');

  it('lead to the broadcaster for a publish token, and to the viewer for a subscribe token', () => {
    const links = (['publish', 'subscribe'] as const).map(
      (kind) => ofToken({ kind, streams: [exact('a b')] })[0]?.link,
    );
    assert.deepEqual(links, [
      'https://live.example/broadcaster?streamName=a+b&accountId=acme#token=ab',
      'https://live.example/viewer?streamId=acme%2Fa+b#token=ab',
    ]);
  });

  it('are at most ten, so that a file of a thousand tokens has an answer of a known size', () => {
    const streams = Array.from({ length: 1_000 }, (_none, index) => exact(`s${index}`));
    assert.deepEqual(
      ofToken({ streams }).map(({ streamName }) => streamName),
      ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9'],
    );
  });

  it('are none of patterns, for which the token itself is handed out', () => {
    const streams = [{ streamName: 'room-.*', isRegex: true }];
    assert.deepEqual(ofToken({ label: 'Rooms', streams }), [
      { id: 7, label: 'Rooms', streamName: null, link: null, token: 'ab' },
    ]);
  });
});
