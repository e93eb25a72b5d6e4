import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What libdatachannel requests for each socket, in bytes. The kernel grants no more than its limit. */
const WANTED_BYTES = 1_048_576;
/** Limits of Linux on the buffers of receiving and sending sockets. Its default is a fifth of what is wanted. */
const LIMITS = ['rmem_max', 'wmem_max'];
/** Other systems do not have it. */
const LINUX_SETTINGS = '/proc/sys/net/core';

/**
 * The settings of the kernel to change, as arguments of `sysctl -w`, so that a burst of media fits into the buffers of
 * the UDP sockets: the kernel drops what does not fit. Empty: the buffers are large enough, or the limits are not known.
 * @param folder of the kernel's settings
 */
export async function missingUdpBuffers(folder: string = LINUX_SETTINGS): Promise<readonly string[]> {
  const limits = await Promise.all(LIMITS.map((name) => limitOf(join(folder, name))));
  return LIMITS.filter((_, index) => (limits[index] ?? Infinity) < WANTED_BYTES).map(
    (name) => `net.core.${name}=${WANTED_BYTES}`,
  );
}

/** Undefined: unknown. */
async function limitOf(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'latin1').catch(() => '');
  return /^\d+\s*$/.test(text) ? Number(text) : undefined;
}
