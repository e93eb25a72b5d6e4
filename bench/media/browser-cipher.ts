// Loaded before anything else of a process: its WebRTC library offers and accepts the cipher of browsers alone. The
// ciphers are a list of names in the compiled library, which has no setting for them; a changed copy is loaded in its
// place. Delete this when node-datachannel has such a setting.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const LIBRARY = 'node_datachannel.node';
const CIPHERS = 'SRTP_AEAD_AES_256_GCM:SRTP_AEAD_AES_128_GCM:SRTP_AES128_CM_SHA1_80';
/** OpenSSL's name of `BROWSER_CIPHER`. */
const CIPHER = 'SRTP_AES128_CM_SHA1_80';

const { dlopen } = process;
process.dlopen = (module, path, ...flags) => {
  if (basename(path) !== LIBRARY) return dlopen(module, path, ...flags);
  const library = readFileSync(path);
  const at = library.indexOf(`${CIPHERS}\0`);
  if (at < 0) throw new Error(`${path} has no list of ciphers as node-datachannel 0.33.4 has`);
  library.fill(0, at, at + CIPHERS.length);
  library.write(CIPHER, at);
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-bench-'));
  try {
    writeFileSync(join(folder, LIBRARY), library);
    dlopen(module, join(folder, LIBRARY), ...flags);
  } finally {
    // A loaded library stays in memory.
    rmSync(folder, { recursive: true });
  }
};
