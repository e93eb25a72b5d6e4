import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installDebianPackage } from '../../scripts/debian-package.ts';

/** Of Debian's packages. Not every PATH has them. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/janus/bin'];

/** The path of a server program. Installs its package if it is missing and possible, because tests cannot run without. */
export async function serverProgram(name: string, debianPackage = name): Promise<string> {
  if (!find(name)) await installDebianPackage(debianPackage);
  const path = find(name);
  if (path !== undefined) return path;
  throw new Error(`these tests need ${name}: apt-get install -y --no-install-recommends ${debianPackage}`);
}

function find(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...USUAL_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Connects to a port of the loopback address until it is open. @param check throws if the server has ended */
export async function listening(port: number, check: () => void): Promise<void> {
  for (;;) {
    check();
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await pause(20);
  }
}
