import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isStunUrl, isTurnUrl } from '../../../server/admission/ice-server-url.js';
import { anyCharacter } from '../../support/any-character.js';

const hosts = fc.oneof(
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.domain(),
);
const ports = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
const authority = fc.tuple(hosts, ports).map(([host, port]) => (port === undefined ? host : `${host}:${port}`));

describe('the URL of a STUN server', () => {
  it('has a scheme, a host and an optional port', () => {
    fc.assert(fc.property(authority, (place) => isStunUrl(`stun:${place}`)));
  });

  it('has no transport, and is no TURN URL', () => {
    fc.assert(
      fc.property(authority, (place) => !isStunUrl(`stun:${place}?transport=udp`) && !isStunUrl(`turn:${place}`)),
    );
  });
});

describe('the URL of a TURN server', () => {
  it('may have a name that ends with digits, and the longest name that there is', () => {
    const longest = `${Array(63).fill('abc').join('.')}.a`;
    for (const host of ['turn1', 'a.turn.1', longest]) {
      assert.equal(isTurnUrl(`turn:${host}`), true, host);
      assert.equal(isStunUrl(`stun:${host}`), true, host);
    }
  });

  it('may name its transport and use TLS', () => {
    const kinds = fc.constantFrom(...['turn', 'turn', 'turn', 'turns', 'turns'].keys());
    const scheme = ['turn', 'turn', 'turn', 'turns', 'turns'];
    const transport = ['', '?transport=udp', '?transport=tcp', '', '?transport=tcp'];
    fc.assert(fc.property(authority, kinds, (place, kind) => isTurnUrl(`${scheme[kind]}:${place}${transport[kind]}`)));
  });

  for (const [text, why] of [
    ['turns:turn.example.com?transport=udp', 'no browser has TURN over DTLS'],
    ['turn://turn.example.com', 'it has no slashes'],
    ['turn:', 'there is no host'],
    ['turn::3478', 'there is no host'],
    ['turn:turn.example.com:0', 'there is no such port'],
    ['turn:turn.example.com:65536', 'there is no such port'],
    ['turn:turn.example.com:', 'there is no port'],
    ['turn:user@turn.example.com', 'names and passwords have no place in it'],
    ['turn:turn.example.com?transport=sctp', 'there is no such transport'],
    ['turn:turn.example.com?transport=tcp&x=1', 'there is nothing but the transport to say'],
    ['turn:turn.example.com/path', 'it has no path'],
    ['turn:2001:db8::1', 'IPv6 is written in brackets'],
    ['turn:[2001:db8::1', 'the bracket stays open'],
    ['turn:[192.0.2.1]', 'brackets are for IPv6'],
    ['turn:[fe80::1%eth0]', 'a zone means nothing to anybody else'],
    ['turn:192.0.2', 'that is no address'],
    ['turn:192.0.2.256', 'that is no address'],
    ['turn:-turn.example.com', 'no label begins with a hyphen'],
    ['turn:turn..example.com', 'a label is empty'],
    [`turn:${'a'.repeat(64)}.example.com`, 'a label is too long'],
    [`turn:${Array(64).fill('abc').join('.')}`, 'the name is too long'],
    ['turn:turn.example.com" ', 'that is no character of a host'],
    ['TURN:turn.example.com', 'not every browser reads capital letters'],
  ] as const) {
    it(`is not ${text.slice(0, 60)}: ${why}`, () => assert.equal(isTurnUrl(text), false));
  }

  it('never contains a character that needs escaping in JSON or in a header', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        (text) => !isTurnUrl(`turn:${text}`) || /^[\w.:?=[\]-]*$/.test(text),
      ),
    );
  });
});
