import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createEmbeddedEngine } from '../../../../../server/media/embedded/embedded-engine.js';
import { missingUdpBuffers } from '../../../../../server/media/embedded/transport/udp-buffers.js';
import type { EngineLogEntry } from '../../../../../server/media/embedded/worker/engine-log-entry.js';

/** A folder of kernel settings with these files. */
async function settings(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kernel-settings-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

describe('the kernel’s limits on the buffers of UDP sockets', () => {
  it('are reported where they are smaller than what the media engine requests', async (t) => {
    const small = await settings(t, { rmem_max: '212992\n', wmem_max: '1048575\n' });
    assert.deepEqual(await missingUdpBuffers(small), ['net.core.rmem_max=1048576', 'net.core.wmem_max=1048576']);
    const half = await settings(t, { rmem_max: '4194304\n', wmem_max: '212992\n' });
    assert.deepEqual(await missingUdpBuffers(half), ['net.core.wmem_max=1048576']);
  });

  it('are not reported where they suffice, or are unknown', async (t) => {
    const large = await settings(t, { rmem_max: '1048576\n', wmem_max: '2147483647\n' });
    assert.deepEqual(await missingUdpBuffers(large), []);
    const unknown = await settings(t, { rmem_max: 'many\n' });
    assert.deepEqual(await missingUdpBuffers(unknown), []);
  });

  it('are in one line of the log, for all workers', async (t) => {
    const kernelSettings = await settings(t, { rmem_max: '212992\n', wmem_max: '212992\n' });
    const log: EngineLogEntry[] = [];
    const onLog = (entry: EngineLogEntry) => void log.push(entry);
    const engine = await createEmbeddedEngine({
      bindAddress: '127.0.0.1',
      udpPort: 0,
      workers: 2,
      kernelSettings,
      onLog,
    });
    await engine.close();
    assert.deepEqual(
      log.filter(({ level }) => level === 'warn'),
      [
        {
          level: 'warn',
          message: 'the kernel limits the buffers for media: raise the limits with sysctl -w',
          sysctl: ['net.core.rmem_max=1048576', 'net.core.wmem_max=1048576'],
        },
      ],
    );
  });
});
