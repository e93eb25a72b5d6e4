import { createRequire } from 'node:module';

/** The version of this package, such as 1.2.3. */
export const SERVER_VERSION: string = createRequire(import.meta.url)('@streamgate/server/package.json').version;
