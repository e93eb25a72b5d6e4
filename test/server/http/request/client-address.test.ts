import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createClientAddress, type AddressedRequest } from '../../../../server/http/request/client-address.js';

const request = (remoteAddress: string | undefined, headers: AddressedRequest['headers'] = {}): AddressedRequest => ({
  socket: { remoteAddress },
  headers,
});

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'];
const behind = createClientAddress(PROXIES);
const PROXY = '10.0.0.1';

describe('without trusted proxies', () => {
  const address = createClientAddress([]);

  it('the address of a caller is the address of the socket, in canonical form', () => {
    assert.equal(address(request('192.0.2.1')), '192.0.2.1');
    assert.equal(address(request('::ffff:192.0.2.1')), '192.0.2.1');
    assert.equal(address(request('2001:DB8::1')), '2001:db8::1');
    assert.equal(address(request('fe80::1%eth0')), 'fe80::1');
  });

  it('the address is unknown if the socket is closed', () => assert.equal(address(request(undefined)), ''));

  it('forwarding headers of a caller are ignored', () => {
    for (const headers of [{ 'x-forwarded-for': '198.51.100.7' }, { forwarded: 'for=198.51.100.7' }]) {
      assert.equal(address(request('192.0.2.1', headers)), '192.0.2.1');
    }
  });

  it('the first peer that sends a forwarding header is reported, once', () => {
    const peers: string[] = [];
    const watching = createClientAddress([], { onUntrustedForward: (peer) => peers.push(peer) });
    watching(request('192.0.2.1'));
    watching(request('192.0.2.2', { 'x-forwarded-for': '198.51.100.7' }));
    watching(request('192.0.2.3', { forwarded: 'for=198.51.100.7' }));
    assert.deepEqual(peers, ['192.0.2.2']);
  });
});

describe('behind trusted proxies', () => {
  const behindForwarded = createClientAddress(PROXIES, { header: 'forwarded' });
  const forwarded = (value: string) => behindForwarded(request(PROXY, { forwarded: value }));
  const xForwarded = (value: string) => behind(request(PROXY, { 'x-forwarded-for': value }));

  it('a caller that bypasses the proxies has the address of the socket, whatever headers they send', () =>
    assert.equal(behind(request('192.0.2.1', { 'x-forwarded-for': '198.51.100.7' })), '192.0.2.1'));

  it('a trusted peer without forwarding headers has the address of its socket, and is not reported', () => {
    const peers: string[] = [];
    const watching = createClientAddress(PROXIES, { onUntrustedForward: (peer) => peers.push(peer) });
    assert.equal(watching(request(PROXY)), PROXY);
    assert.equal(watching(request(PROXY, { 'x-forwarded-for': '198.51.100.7' })), '198.51.100.7');
    assert.deepEqual(peers, []);
  });

  for (const [header, address] of [
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['9.9.9.9, 198.51.100.7, 10.0.0.2,10.0.0.3', '198.51.100.7'],
    ['forged, 127.1, 198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:4711', '198.51.100.7'],
    ['[2001:DB8::7]:4711', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7, 2001:db8:ffff::1', '2001:db8::7'],
    ['10.0.0.9, 10.0.0.2', '10.0.0.9'],
  ] as const) {
    it(`X-Forwarded-For: ${header} gives ${address}`, () => assert.equal(xForwarded(header), address));
  }

  for (const header of [
    '',
    ',',
    'unknown',
    '198.51.100.7, garbage',
    '198.51.100.7, garbage, 10.0.0.2',
    '198.51.100.7,',
    '127.1',
    '010.0.0.1',
    '198.51.100.7 10.0.0.2',
    'fe80::1%eth0',
    '198.51.100.7/32',
    '"198.51.100.7"',
  ]) {
    it(`X-Forwarded-For: ${JSON.stringify(header)} gives no address`, () => assert.equal(xForwarded(header), ''));
  }

  for (const [header, address] of [
    ['for=198.51.100.7', '198.51.100.7'],
    ['For="[2001:db8::1]:4711"', '2001:db8::1'],
    ['for="198.51.100.7:4711";proto=https;by=10.0.0.1', '198.51.100.7'],
    ['for=198.51.100.7:4711', '198.51.100.7'],
    ['proto=http; for=198.51.100.7 , for=10.0.0.2', '198.51.100.7'],
    ['for=unknown, for=198.51.100.7', '198.51.100.7'],
    ['for="\\1\\9\\8.51.100.7"', '198.51.100.7'],
    ['for=9.9.9.9;host="a,b;c", for=198.51.100.7;host="x;for=1.1.1.1"', '198.51.100.7'],
  ] as const) {
    it(`Forwarded: ${header} gives ${address}`, () => assert.equal(forwarded(header), address));
  }

  for (const header of [
    '',
    'for',
    'for=',
    'for=unknown',
    'for=_hidden',
    'proto=https',
    'for=198.51.100.7, proto=https',
    'for=198.51.100.7;for=192.0.2.1',
    'for="198.51.100.7',
    'for="x, for="198.51.100.7"',
    'for=198.51.100.7,,',
    'for = 198.51.100.7',
    'for=2001:db8::1%eth0',
  ]) {
    it(`Forwarded: ${JSON.stringify(header)} gives no address`, () => assert.equal(forwarded(header), ''));
  }

  it('no other header than the one of the proxies is read, whatever a caller sends in it', () => {
    const headers = { 'x-forwarded-for': '198.51.100.7', 'cf-connecting-ip': '198.51.100.9' };
    for (const f of ['for=198.51.100.8', 'x', '']) {
      assert.equal(behind(request(PROXY, { ...headers, forwarded: f })), '198.51.100.7');
    }
    assert.equal(behindForwarded(request(PROXY, { ...headers, forwarded: 'for=198.51.100.8' })), '198.51.100.8');
    const behindCdn = createClientAddress(PROXIES, { header: 'cf-connecting-ip' });
    assert.equal(behindCdn(request(PROXY, { ...headers, forwarded: 'x' })), '198.51.100.9');
  });

  it('another forwarding header alone gives no address: the proxy writes that one', () => {
    assert.equal(behind(request(PROXY, { forwarded: 'for=198.51.100.7' })), '');
    assert.equal(behindForwarded(request(PROXY, { 'x-forwarded-for': '198.51.100.7' })), '');
  });

  it('nothing that a caller sends before the hop of our proxy leads to another address', () => {
    const forgedHops = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc
        .array(fc.constantFrom('for=', '"', '\\', ',', ';', '1.1.1.1', '10.0.0.3', '[::1]', ' ', 'by='), {
          maxLength: 8,
        })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(
        forgedHops,
        fc.constantFrom('198.51.100.7', '"198.51.100.7:80"', '"[2001:db8::7]:80"'),
        (forged, hop) => {
          const address = /\[/.test(hop) ? '2001:db8::7' : '198.51.100.7';
          assert.equal(xForwarded(`${forged}, ${address}`), address);
          // An open quote makes the whole header invalid. The address is then unknown, which admits to less.
          assert.ok([address, ''].includes(forwarded(`${forged}, for=${hop}`)));
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
