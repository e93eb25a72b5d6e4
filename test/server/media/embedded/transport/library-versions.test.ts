import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isSupported, libraryVersions } from '../../../../../server/media/embedded/transport/library-versions.js';
import { loadedLibrary } from '../../../../../server/media/embedded/transport/webrtc-library.js';

/** Native files with these texts between other bytes. */
async function nativeFiles(t: TestContext, texts: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'native-'));
  t.after(() => rm(folder, { recursive: true }));
  return await Promise.all(
    texts.map(async (text, index) => {
      const file = join(folder, `library-${index}.node`);
      await writeFile(
        file,
        Buffer.concat([Buffer.from([0x7f, 0, 0xff]), Buffer.from(text, 'latin1'), Buffer.alloc(4)]),
      );
      return file;
    }),
  );
}

describe('the versions of the WebRTC library', () => {
  it('are those of the files that this process has loaded', async () => {
    const loaded = loadedLibrary();
    assert.match(loaded.files[0]!, /node_datachannel\.node$/);
    const { library, crypto } = await libraryVersions(loaded);
    assert.match(library, /^libdatachannel \d+\.\d+\.\d+$/);
    assert.match(crypto, /^OpenSSL \d+\.\d+\.\d+/);
  });

  it('name the OpenSSL inside the library before that of the system', async (t) => {
    const files = await nativeFiles(t, ['DTLS\0OpenSSL 1.1.1w  11 Sep 2023\0', 'OpenSSL 3.0.19 27 Jan 2026\0']);
    const versions = await libraryVersions({ version: '0.24.5', files });
    assert.deepEqual(versions, { library: 'libdatachannel 0.24.5', crypto: 'OpenSSL 1.1.1w' });
  });

  it('name the OpenSSL of the system where the library has none inside', async (t) => {
    const files = await nativeFiles(t, ['OpenSSL error: ', 'OpenSSL 3.0.19 27 Jan 2026\0']);
    const { crypto } = await libraryVersions({ version: '0.24.5', files });
    assert.equal(crypto, 'OpenSSL 3.0.19');
  });

  it('tell which are not supported any more', () => {
    const versions = [
      'OpenSSL 0.9.8zh',
      'OpenSSL 1.1.1w',
      'OpenSSL 3.0.19',
      'OpenSSL 10.0.1',
      'GnuTLS 3.7.9',
      'unknown',
    ];
    assert.deepEqual(
      versions.filter((version) => !isSupported(version)),
      ['OpenSSL 0.9.8zh', 'OpenSSL 1.1.1w'],
    );
  });

  it('leave open what no file names', async (t) => {
    const files = [...(await nativeFiles(t, ['nothing'])), '/nowhere.node'];
    const { crypto } = await libraryVersions({ version: '0.24.5', files });
    assert.equal(crypto, 'unknown');
  });
});
