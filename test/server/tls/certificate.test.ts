import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import type { CertificateFiles } from '../../../server/config/config.js';
import { readCertificate } from '../../../server/tls/certificate.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';

const FILES = join(import.meta.dirname, '../../support/certificates');
const GOOD: CertificateFiles = { certFile: join(FILES, 'trusted.pem'), keyFile: join(FILES, 'server.key.pem') };

describe('the files of the TLS certificate', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const fileWith = async (text: string): Promise<string> => {
    const path = join(await dataFolder(cleanup), 'file.pem');
    writeFileSync(path, text);
    return path;
  };
  const faultOf = (files: Partial<CertificateFiles>): string => {
    try {
      readCertificate({ ...GOOD, ...files });
    } catch (error) {
      return String(error);
    }
    return 'none';
  };

  it('are a certificate and its key', () => {
    const { cert, key, expiresOn } = readCertificate(GOOD);
    assert.match(cert, /^-----BEGIN CERTIFICATE-----/);
    assert.match(key, /^-----BEGIN PRIVATE KEY-----/);
    assert.equal(new Date(expiresOn).getUTCFullYear(), 2126);
  });

  it('are refused if one does not exist, with the variable and the path', () => {
    assert.match(faultOf({ certFile: '/nowhere/cert.pem' }), /TLS_CERT: must be a file .* "\/nowhere\/cert.pem"/);
    assert.match(faultOf({ keyFile: '/nowhere/key.pem' }), /TLS_KEY: must be a file .* "\/nowhere\/key.pem"/);
  });

  it('are refused if they are something else', async () => {
    assert.match(faultOf({ certFile: await fileWith('') }), /TLS_CERT: must be a PEM file that begins/);
    assert.match(faultOf({ certFile: GOOD.keyFile }), /TLS_CERT: must be a PEM file that begins/);
    assert.match(faultOf({ keyFile: GOOD.certFile }), /TLS_KEY: must be a PEM file with a private key/);
  });

  it('are refused if the key needs a passphrase', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'north wind' } as const;
    const keyFile = await fileWith(String(privateKey.export(encrypted)));
    assert.match(faultOf({ keyFile }), /TLS_KEY: .* that has no passphrase/);
  });

  it('are refused if the key belongs to another certificate, without a word of the key', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const fault = faultOf({ keyFile: await fileWith(text) });
    assert.match(fault, /TLS_KEY: must be the private key of the certificate in TLS_CERT/);
    assert.ok(!fault.includes(text.split('\n')[1]!));
  });
});
