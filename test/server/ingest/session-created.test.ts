import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { iceServerLinks, linkHeader } from '../../../server/ingest/session-created.js';

describe('linkHeader', () => {
  it('has one link for each URL of a STUN or TURN server, as in RFC 9725', () => {
    const servers = [
      { urls: ['stun:stun.example.com'] },
      {
        urls: ['turn:turn.example.com?transport=udp', 'turns:turn.example.com?transport=tcp'],
        username: '1893456000:ab',
        credential: 'a+b/c=',
      },
    ];
    const credentials = 'username="1893456000:ab"; credential="a+b/c="; credential-type="password"';
    assert.equal(
      linkHeader(iceServerLinks(servers)),
      [
        '<stun:stun.example.com>; rel="ice-server"',
        `<turn:turn.example.com?transport=udp>; rel="ice-server"; ${credentials}`,
        `<turns:turn.example.com?transport=tcp>; rel="ice-server"; ${credentials}`,
      ].join(', '),
    );
  });

  it('has the attributes of a link', () => {
    const link = { target: '/events', rel: 'urn:x', attributes: { events: 'active,inactive' } };
    assert.equal(linkHeader([link]), '</events>; rel="urn:x"; events="active,inactive"');
  });

  it('escapes quotes and backslashes', () => {
    const link = { target: '/', rel: 'x', attributes: { username: 'a"; rel="y\\' } };
    assert.equal(linkHeader([link]), String.raw`</>; rel="x"; username="a\"; rel=\"y\\"`);
  });

  it('is undefined without links', () => {
    assert.equal(linkHeader(iceServerLinks([])), undefined);
  });
});
