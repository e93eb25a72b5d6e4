import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { S3Options } from '../../server/recording/storage/s3-storage.js';
import type { Cleanup } from './cleanup.js';
import { dataFolder } from './data-folder.js';

interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** The package has no types. */
const S3rver: new (options: object) => S3Server = createRequire(import.meta.url)('s3rver');

/** An S3 with the bucket `recordings`, on the loopback address. */
export async function s3(cleanup: Cleanup): Promise<S3Options> {
  const directory = await dataFolder(cleanup);
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'recordings' }],
  });
  const { port } = await server.run();
  cleanup.after(() => server.close());
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'recordings',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    prefix: 'live/',
  };
}
