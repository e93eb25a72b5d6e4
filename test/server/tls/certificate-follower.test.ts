import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { CertificateFollower } from '../../../server/tls/certificate-follower.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';

const FILES = join(import.meta.dirname, '../../support/certificates');
const DAY_MS = 86_400_000;
/** The certificate `trusted` expires on this day. */
const EXPIRY = Date.parse('2126-10-29T14:02:34Z');

describe('CertificateFollower', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const follower = async (now = () => Date.parse('2030-01-01')) => {
    const folder = await dataFolder(cleanup);
    const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    copyFileSync(join(FILES, 'trusted.pem'), files.certFile);
    copyFileSync(join(FILES, 'server.key.pem'), files.keyFile);
    const lines: { level: number; msg: string }[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const certificates = new CertificateFollower({ files, now, log });
    const applied: string[] = [];
    certificates.follow(({ cert }) => applied.push(cert));
    cleanup.after(() => certificates.close());
    return { certificates, files, applied, messages: () => lines.map(({ level, msg }) => `${level} ${msg}`) };
  };

  it('applies nothing while the files are the same', async () => {
    const { certificates, applied, messages } = await follower();
    certificates.check();
    assert.deepEqual([applied, messages()], [[], []]);
  });

  it('applies a new certificate once', async () => {
    const { certificates, files, applied, messages } = await follower();
    copyFileSync(join(FILES, 'self-signed.pem'), files.certFile);
    certificates.check();
    certificates.check();
    assert.equal(applied.length, 1);
    assert.equal(certificates.certificate.cert, applied[0]);
    assert.deepEqual(messages(), ['30 the TLS certificate was replaced']);
  });

  it('keeps the last good certificate while a file is half written, and says so at the second look', async () => {
    const { certificates, files, applied, messages } = await follower();
    writeFileSync(files.certFile, '-----BEGIN CERTIFICATE-----\nMIIB');
    certificates.check();
    assert.deepEqual(messages(), []);
    certificates.check();
    certificates.check();
    assert.deepEqual(messages(), ['40 the TLS certificate could not be read again']);
    assert.equal(applied.length, 0);

    copyFileSync(join(FILES, 'self-signed.pem'), files.certFile);
    certificates.check();
    assert.equal(applied.length, 1);
  });

  it('warns once a day from two weeks before the certificate expires', async () => {
    const clock = { now: EXPIRY - 15 * DAY_MS };
    const { certificates, messages } = await follower(() => clock.now);
    assert.deepEqual(messages(), []);
    for (const days of [13, 12.5, 11.9, -1]) {
      clock.now = EXPIRY - days * DAY_MS;
      certificates.check();
    }
    assert.deepEqual(messages(), Array(3).fill('40 the TLS certificate expires soon, or has expired'));
  });
});
