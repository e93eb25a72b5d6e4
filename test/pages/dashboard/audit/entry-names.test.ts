import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actorName, targetName } from '../../../../src/pages/dashboard/audit/entry-names.js';
import { en } from '../../../../src/pages/dashboard/audit/messages/en.js';

const shown = (name: ReturnType<typeof targetName>) => name && [name.word, name.name];
const by = (by: string, id: string | null, name?: string, action = 'token_changed') =>
  shown(actorName({ actor: { by, id, ...(name !== undefined && { name }) }, action }, en));
const of = (kind: string, id: string, name: string | null = null) =>
  shown(targetName({ target: { kind, id, name } }, en));

describe('the names in an entry of the audit log', () => {
  it('are those of people and keys, and no ids of logins and secrets', () => {
    assert.deepEqual(by('dashboard', 'ses_1', 'Olga'), ['', 'Olga']);
    assert.deepEqual(by('dashboard', 'ses_1'), ['Somebody with a link of the operator', undefined]);
    assert.deepEqual(by('dashboard', 'ses_1', undefined, 'dashboard_opened'), ['Dashboard', undefined]);
    assert.deepEqual(by('key', 'key_1', 'nightly'), ['Key', 'nightly']);
    assert.deepEqual(by('key', 'key_1'), ['Key', 'key_1']);
    assert.deepEqual(by('secret', 'sec_1'), ['API secret', undefined]);
    assert.deepEqual(by('cli', 'root'), ['Command line', 'root']);
    assert.deepEqual(by('server', null), ['Server', undefined]);
    assert.deepEqual(by('robot', 'r2'), ['robot', 'r2']);
  });

  it('are those of what was changed, or else its number', () => {
    assert.deepEqual(of('publish_token', '22', 'Studio'), ['Publish token', 'Studio']);
    assert.deepEqual(of('publish_token', '22'), ['Publish token', '22']);
    assert.deepEqual(of('recording', 'r1', 'show'), ['Recording', 'show']);
    assert.deepEqual(of('dashboard_session', 'ses_1', 'Olga'), ['Login', 'Olga']);
    assert.equal(of('dashboard_session', 'ses_1'), undefined);
    assert.equal(of('theme', 'acme'), undefined);
    assert.equal(of('upstream', ''), undefined);
  });
});
