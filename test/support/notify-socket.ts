import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.ts';
import { dataFolder } from './data-folder.ts';
import { within } from './media/until.ts';
import { endProgram } from './program.ts';
import { toolPath } from '../../scripts/tools.ts';

/** Prints each datagram as a line. Node has no datagram sockets of Unix; every Debian has Perl. */
const RECEIVER = `
use IO::Socket::UNIX; use Socket; $| = 1;
my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die $!;
print "listening\\n";
my $message;
print "$message\\n" while defined $socket->recv($message, 4096);
`;

export interface NotifySocket {
  readonly path: string;
  /** The messages so far. */
  readonly messages: readonly string[];
}

/** The socket of systemd for sd_notify(3), until the cleanup. @param onMessage each message, such as `READY=1` */
export async function notifySocket(cleanup: Cleanup, onMessage: (text: string) => void): Promise<NotifySocket> {
  await toolPath('systemd');
  const path = join(await dataFolder(cleanup), 'notify');
  const receiver = spawn(await toolPath('perl'), ['-e', RECEIVER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanup.after(() => endProgram(receiver));
  const messages: string[] = [];
  let rest = '';
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines.filter((one) => one !== '' && one !== 'listening' && one !== 'BARRIER=1')) {
      messages.push(line);
      onMessage(line);
    }
  });
  await within('the socket is there', once(receiver.stdout, 'data'));
  return { path, messages };
}
