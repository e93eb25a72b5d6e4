import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { candidateNames, nameLookup, NameUnknownError } from '../../../server/outbound/name-lookup.js';
import { TargetAddresses } from '../../../server/outbound/target-addresses.js';
import { anyCharacter } from '../../support/any-character.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { nameServer } from '../../support/name-server.js';

const ADDRESSES = {
  'receiver.example': ['8.8.8.8', '2606:4700::1'],
  'four.example': ['8.8.4.4'],
  'six.example': ['2606:4700::2'],
  'empty.example': [],
  'short.corp.example': ['9.9.9.9'],
};

describe('the lookup of a name', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());
  const noSignal = new AbortController().signal;

  const lookupAt = async (server: { readonly address: string }, { hosts = '', configuration = '' } = {}) => {
    const folder = await dataFolder(cleanup);
    const [hostsFile, resolverFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
    await writeFile(hostsFile, hosts);
    await writeFile(resolverFile, configuration);
    const lookup = nameLookup({ hostsFile, resolverFile, nameServers: [server.address] });
    return async (name: string, signal = noSignal) => (await lookup(name, signal)).map(({ address }) => address);
  };

  it('finds the addresses of both families', async () => {
    const lookup = await lookupAt(await nameServer(cleanup, ADDRESSES));
    assert.deepEqual(await lookup('receiver.example'), ['8.8.8.8', '2606:4700::1']);
    assert.deepEqual(await lookup('four.example'), ['8.8.4.4']);
    assert.deepEqual(await lookup('six.example.'), ['2606:4700::2']);
  });

  it('says that a name has no address', async () => {
    const lookup = await lookupAt(await nameServer(cleanup, ADDRESSES));
    for (const name of ['missing.example', 'empty.example', `${'x'.repeat(64)}.example`, 'a'.repeat(300)])
      await assert.rejects(lookup(name), NameUnknownError, name);
  });

  it('reads the file of hosts first, where letter case does not count', async () => {
    const server = await nameServer(cleanup, ADDRESSES);
    const hosts =
      '# of this network\n10.1.2.3\tReceiver.example other # no more.example\nfd00::7 receiver.example\nnonsense x';
    const lookup = await lookupAt(server, { hosts });
    assert.deepEqual(await lookup('receiver.EXAMPLE.'), ['10.1.2.3', 'fd00::7']);
    assert.deepEqual(await lookup('other'), ['10.1.2.3']);
    assert.deepEqual(server.asked, []);
    await assert.rejects(lookup('no'), NameUnknownError);
  });

  it('knows localhost without a file and without asking', async () => {
    const server = await nameServer(cleanup, ADDRESSES);
    const lookup = await lookupAt(server);
    for (const name of ['localhost', 'LOCALHOST.', 'a.localhost'])
      assert.deepEqual(await lookup(name), ['127.0.0.1', '::1'], name);
    assert.deepEqual(server.asked, []);
  });

  it('completes short names with the search domains of the system', async () => {
    const lookup = await lookupAt(await nameServer(cleanup, ADDRESSES), { configuration: 'search corp.example other' });
    assert.deepEqual(await lookup('short'), ['9.9.9.9']);
    assert.deepEqual(await lookup('receiver.example'), ['8.8.8.8', '2606:4700::1']);
  });

  it('ends with its signal, with its reason', async () => {
    const server = await nameServer(cleanup, undefined);
    const lookup = await lookupAt(server);
    const abort = new AbortController();
    const looking = lookup('receiver.example', abort.signal);
    looking.catch(() => {});
    while (server.asked.length < 2) await new Promise(setImmediate);
    abort.abort(new Error('nobody waits'));
    await assert.rejects(looking, /nobody waits/);
    await assert.rejects(lookup('receiver.example', abort.signal), /nobody waits/);
  });

  it('leaves the threads that read files alone, however many name servers are silent', async () => {
    const server = await nameServer(cleanup, undefined);
    const lookup = await lookupAt(server);
    const abort = new AbortController();
    const looking = Array.from({ length: 40 }, (_, index) => lookup(`receiver-${index}.example`, abort.signal));
    const ended = Promise.allSettled(looking);
    while (server.asked.length < 80) await new Promise(setImmediate);
    // Would wait for a thread.
    await readFile(import.meta.filename);
    abort.abort();
    assert.ok((await ended).every(({ status }) => status === 'rejected'));
  });

  it('of a receiver asks no thread for a name, by default', async () => {
    const kinds: string[] = [];
    const hook = createHook({ init: (_id, kind) => void kinds.push(kind) }).enable();
    cleanup.after(() => void hook.disable());
    const abort = new AbortController();
    const looking = new TargetAddresses([]).of('receiver.invalid', abort.signal);
    looking.catch(() => {});
    while (!kinds.some((kind) => /^(?:QUERYWRAP|GETADDRINFOREQWRAP)$/.test(kind))) await new Promise(setImmediate);
    abort.abort();
    await assert.rejects(looking);
    assert.ok(!kinds.includes('GETADDRINFOREQWRAP'));
  });
});

describe('the names that are looked up', () => {
  it('are those of the system, in its order', () => {
    const cluster = 'nameserver 10.0.0.1\nsearch a.svc.example svc.example ; our cluster\noptions ndots:2 timeout:1';
    assert.deepEqual(candidateNames(cluster, 'web'), ['web.a.svc.example', 'web.svc.example', 'web']);
    assert.deepEqual(candidateNames(cluster, 'web.b.svc'), [
      'web.b.svc',
      'web.b.svc.a.svc.example',
      'web.b.svc.svc.example',
    ]);
    assert.deepEqual(candidateNames(cluster, 'web.'), ['web']);
    assert.deepEqual(candidateNames('domain example.com other', 'web'), ['web.example.com', 'web']);
    assert.deepEqual(candidateNames('domain a\nsearch b.', 'web'), ['web.b', 'web']);
    assert.deepEqual(candidateNames('', 'web'), ['web']);
  });

  it('include the name itself, whatever the system says', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.domain(), (configuration, name) => {
        assert.ok(candidateNames(configuration, name).includes(name));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.domain(), { maxLength: 9 }), fc.nat(20), fc.domain(), (domains, dots, name) => {
        const names = candidateNames(`search ${domains.join(' ')}\noptions ndots:${dots}`, name);
        assert.deepEqual(names.toSorted(), [name, ...domains.map((domain) => `${name}.${domain}`)].toSorted());
      }),
    );
  });
});
