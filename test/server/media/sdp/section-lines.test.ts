import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MID, RID } from '../../../../server/media/sdp/extension-uris.js';
import { SectionLines } from '../../../../server/media/sdp/section-lines.js';

function linesOf(...attributes: readonly string[]): SectionLines {
  const lines = new SectionLines();
  for (const attribute of attributes) lines.add(attribute);
  return lines;
}

describe('the attributes of an m-line', () => {
  it('are flags and values, of which the last counts, without the space behind them', () => {
    const { values } = linesOf('sendonly ', 'recvonly', 'rtcp-rsize', 'bundle-only', 'mid:a', 'mid:b ', 'setup:active');
    assert.deepEqual(Object.fromEntries(values), {
      direction: 'recvonly',
      'rtcp-rsize': '',
      'bundle-only': '',
      mid: 'b',
      setup: 'active',
    });
    assert.deepEqual([...linesOf('extmap-allow-mixed').values.keys()], ['extmap-allow-mixed']);
    assert.deepEqual([...linesOf('rtcp-mux', 'msid:x', ':mid', 'sendrecv:1').values], []);
  });

  it('name the encoding of each payload type, the first that is well formed', () => {
    const { encodings } = linesOf(
      'rtpmap:96 VP8/90000',
      'rtpmap:96 AV1/90000',
      'rtpmap:111 opus/48000/2 ',
      'rtpmap:97 rtx /90000',
      'rtpmap:98 CN',
      'rtpmap:99 ;x/1',
      'rtpmap:128 VP8/90000',
      'rtpmap:x VP8/90000',
      'rtpmap:100',
    );
    assert.deepEqual(Object.fromEntries(encodings), {
      96: 'VP8/90000',
      111: 'opus/48000/2',
      97: 'rtx/90000',
      98: 'CN',
    });
  });

  it('have the parameters of each payload type, the first, of up to 2,048 characters', () => {
    const { parameters } = linesOf('fmtp:96 a=1;b=2', 'fmtp:96 c=3', 'fmtp:x a=1', 'fmtp:200 a=1');
    assert.deepEqual(Object.fromEntries(parameters), { 96: 'a=1;b=2' });
    const longest = `96 ${'x'.repeat(2_045)}`;
    assert.equal(linesOf(`fmtp:${longest}`).parameters.get(96)?.length, 2_045);
    assert.throws(() => linesOf(`fmtp:${longest}x`), RangeError);
  });

  it('ask for the known kinds of feedback, of one payload type or of all', () => {
    const { feedback } = linesOf(
      'rtcp-fb:96 nack',
      'rtcp-fb:96 nack pli',
      'rtcp-fb:* transport-cc',
      'rtcp-fb:96 nack rpsi',
      'rtcp-fb:x nack',
      'rtcp-fb:** nack',
    );
    assert.deepEqual(
      [...feedback].map(([type, kinds]) => [type, [...kinds]]),
      [
        [96, ['nack', 'nack pli']],
        ['*', ['transport-cc']],
      ],
    );
  });

  it('have the known extensions with id and direction, 64 at most', () => {
    const { extensions } = linesOf(`extmap:4 ${MID}`, `extmap:9/sendonly ${RID} more`, 'extmap:5 urn:unknown');
    assert.deepEqual(extensions, [
      { id: 4, uri: MID, direction: undefined },
      { id: 9, uri: RID, direction: 'sendonly' },
    ]);
    const many = Array.from({ length: 70 }, (_, id) => `extmap:${id} ${MID}`);
    assert.equal(linesOf(...many).extensions.length, 64);
  });

  it('have the rids that are sent, 64 at most', () => {
    assert.deepEqual([...linesOf('rid:q send', 'rid:h recv', 'rid:f send pt=96', 'rid:x').rids], ['q', 'f']);
    const many = Array.from({ length: 70 }, (_, index) => `rid:${index} send`);
    assert.equal(linesOf(...many).rids.size, 64);
  });

  it('have the first SSRC, and those of the groups of RTX and of a simulcast', () => {
    const { firstSsrc, simulcastSsrcs, ssrcPairs } = linesOf(
      'ssrc:10 cname:x',
      'ssrc:11 cname:x',
      'ssrc-group:FID 10 20',
      'ssrc-group:FID 10 21',
      'ssrc-group:FID 11',
      'ssrc-group:FID 0 4294967296',
      'ssrc-group:SIM 10 11 x 12',
      'ssrc-group:SIM 13',
      'ssrc-group:FEC 1 2',
    );
    assert.deepEqual([firstSsrc, simulcastSsrcs], [10, [10, 11, 12]]);
    assert.deepEqual(
      [...ssrcPairs],
      [
        [10, 20],
        [11, undefined],
      ],
    );
    assert.equal(linesOf(`ssrc-group:SIM ${'7 '.repeat(20)}`).simulcastSsrcs?.length, 16);
    const pairs = Array.from({ length: 70 }, (_, index) => `ssrc-group:FID ${index + 1} 99`);
    assert.equal(linesOf(...pairs).ssrcPairs.size, 64);
  });

  it('read a number only if a space follows, of ten digits at most', () => {
    const first = (value: string) => linesOf(`ssrc:${value}`).firstSsrc;
    assert.deepEqual(['7 x', '4294967295 x', '12345678901 x', '7', '7x', ' 7', '-1 x', '9:8 x'].map(first), [
      7,
      4_294_967_295,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('have the mids of the first bundle, 64 at most', () => {
    assert.deepEqual(linesOf('group:LS 9 8', 'group:BUNDLE 0 1', 'group:BUNDLE 2').bundle, ['0', '1']);
    assert.equal(linesOf('group:BUNDLE').bundle, undefined);
    assert.equal(linesOf(`group:BUNDLE ${'1 '.repeat(80)}x`).bundle?.length, 64);
  });
});
