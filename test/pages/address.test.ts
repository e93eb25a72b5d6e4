import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  broadcasterLink,
  readBroadcasterAddress,
  readScheduledAddress,
  readViewerAddress,
  scheduledLink,
  viewerLink,
  withTokenHidden,
} from '../../src/pages/address.js';

const origin = 'https://live.example.com';
const viewer = (tail: string) => readViewerAddress(new URL(`${origin}/viewer${tail}`));

describe('the address of the hosted viewer', () => {
  it('has account and stream, and may have a token', () => {
    assert.deepEqual(viewer('?streamId=acme/keynote'), { accountId: 'acme', streamName: 'keynote', token: '' });
    assert.deepEqual(viewer('?streamId=acme/keynote&token=t1'), {
      accountId: 'acme',
      streamName: 'keynote',
      token: 't1',
    });
    assert.equal(viewer('?streamId=acme/keynote#token=t2')?.token, 't2');
  });

  it('tolerates the second question mark of published samples', () => {
    assert.deepEqual(viewer('?streamId=acme/keynote?token=t1'), {
      accountId: 'acme',
      streamName: 'keynote',
      token: 't1',
    });
  });

  it('allows slashes and question marks in a name', () => {
    assert.equal(viewer('?streamId=acme/day/1%3F')?.streamName, 'day/1?');
  });

  for (const tail of ['', '?streamId=', '?streamId=acme', '?streamId=acme/', '?streamId=/keynote']) {
    it(`is undefined without both names: "${tail}"`, () => assert.equal(viewer(tail), undefined));
  }

  it('is the same after it is written and read, with the token in the fragment', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((name) => !name.includes('?token='));
    // Names are read in one spelling of Unicode.
    const name = text.map((each) => each.normalize('NFC'));
    fc.assert(
      fc.property(name, text, (streamName, token) => {
        const address = { accountId: 'acme', streamName, token };
        const link = new URL(viewerLink(origin, address));
        assert.deepEqual(readViewerAddress(link), address);
        assert.equal(link.searchParams.has('token'), false);
      }),
    );
  });

  it('has the token in the fragment instead of the query after withTokenHidden', () => {
    const url = new URL(`${origin}/viewer?streamId=acme/keynote?token=t1`);
    assert.equal(withTokenHidden(url, 't1'), `${origin}/viewer?streamId=acme%2Fkeynote#token=t1`);
  });
});

describe('the address of the hosted broadcaster', () => {
  it('has the stream name and a token', () => {
    const address = { streamName: 'a b', token: 't1' };
    const link = broadcasterLink(origin, { ...address, accountId: 'acme' });
    assert.equal(link, `${origin}/broadcaster?streamName=a+b&accountId=acme#token=t1`);
    assert.deepEqual(readBroadcasterAddress(new URL(link)), address);
    assert.deepEqual(readBroadcasterAddress(new URL(`${origin}/broadcaster?streamName=s&token=t`)), {
      streamName: 's',
      token: 't',
    });
  });

  it('is undefined without a stream name', () => {
    assert.equal(readBroadcasterAddress(new URL(`${origin}/broadcaster`)), undefined);
  });
});

describe('the address of a scheduled stream', () => {
  const id = 'kX3v9sQp0ZbT7mWcY1aRdg';

  it('has the id, and may have a token, which a link has in the fragment', () => {
    assert.equal(scheduledLink(origin, id), `${origin}/scheduled/${id}`);
    assert.equal(scheduledLink(origin, id, 't1'), `${origin}/scheduled/${id}#token=t1`);
    assert.deepEqual(readScheduledAddress(new URL(scheduledLink(origin, id, 't1'))), { id, token: 't1' });
    assert.deepEqual(readScheduledAddress(new URL(`${origin}/scheduled/${id}?token=t2`)), { id, token: 't2' });
  });

  it('is undefined at another path', () => {
    for (const path of ['/scheduled', '/scheduled/', '/scheduled/a/b', `/scheduled/${id}.ics`, '/viewer'])
      assert.equal(readScheduledAddress(new URL(origin + path)), undefined, path);
  });
});
