import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, it } from 'node:test';
import { mediaPortFault, waitingIn } from '../../../server/health/media-port-fault.js';
import { createEmbeddedEngine } from '../../../server/media/embedded/embedded-engine.js';
import { availableUdpPort } from '../../../server/media/embedded/transport/udp-port.js';
import { Cleanup } from '../../support/cleanup.js';

describe('the port of a media process', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('takes packets, at each process of the engine', async () => {
    const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0, workers: 2, sandboxed: false });
    cleanup.after(() => engine.close());
    const ports = engine.mediaPorts();
    assert.equal(ports.length, 2);
    for (const port of ports) assert.equal(await mediaPortFault(port), undefined);
  });

  it('is closed', async () => {
    const port = await availableUdpPort('127.0.0.1', 0);
    assert.match((await mediaPortFault({ address: undefined, port }))!, /closed/);
  });

  it('is open and nobody reads it', { skip: process.platform !== 'linux' && 'Linux shows it' }, async () => {
    const bind = `const socket = require('node:dgram').createSocket('udp4');
      socket.bind(0, '127.0.0.1', () => process.send(socket.address().port))`;
    const child = spawn(process.execPath, ['-e', bind], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    cleanup.after(() => child.kill('SIGKILL'));
    const [port] = await once(child, 'message');
    assert.equal(await mediaPortFault({ address: '127.0.0.1', port }), undefined);
    child.kill('SIGSTOP');
    assert.match((await mediaPortFault({ address: '127.0.0.1', port }))!, /buffer/);
  });

  it('is found in the table of the kernel, by its number', () => {
    const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  371: 0100007F:9C40 00000000:0000 07 00000000:00000300 00:00000000 00000000     0        0 21539 2 0000000000000000 0
  372: 00000000:9C41 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 21540 2 0000000000000000 0
`;
    assert.deepEqual(
      [40_000, 40_001, 40_002].map((port) => waitingIn(table, port)),
      [[768], [0], []],
    );
  });
});
