import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needsWayBack } from '../../../../src/pages/dashboard/home/way-back.js';
import type { PageView } from '../../../../src/pages/dashboard/page-view.js';
import type { SignInContent } from '../../../../src/pages/dashboard/security/sign-in-state.js';

const HOST = 'live.example.com';
const needs = (hosts: readonly string[], loginName: string | null) => {
  const passkeys = hosts.map((host) => ({
    id: host,
    name: 'phone',
    host,
    synced: true,
    createdOn: '2030-01-01T00:00:00Z',
    lastUsedOn: null,
  }));
  const password = { loginName, createdOn: null, lastUsedOn: null };
  const view: PageView<SignInContent> = { name: 'ready', passkeys, password };
  return needsWayBack(view, HOST);
};

it('somebody without a passkey of this host and without a password has no way back in', () => {
  assert.deepEqual([needs([], null), needs(['old.example.com'], null)], [true, true]);
  assert.deepEqual([needs([HOST], null), needs([], 'anna')], [false, false]);
});

it('nothing is said while it is not known', () => assert.equal(needsWayBack({ name: 'unreachable' }, HOST), false));
