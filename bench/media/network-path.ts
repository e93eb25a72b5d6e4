import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How packets get from a forwarder to its viewers. Publisher and forwarder are on one address. */
export interface NetworkPath {
  readonly name: 'loopback' | 'veth';
  readonly what: string;
  /** Of forwarder and publisher. */
  readonly serverAddress: string;
  /** Each viewer has an address of its own, as on the internet: forwarders find viewers by their addresses. */
  viewerAddress(index: number): string;
  /** A command line that runs the program behind it where the viewers are. */
  readonly viewerCommand: readonly string[];
  close(): Promise<void>;
}

const VIEWERS_IN_A_NETWORK = 250;
const hostNumber = (index: number) =>
  `${1 + Math.floor(index / VIEWERS_IN_A_NETWORK)}.${1 + (index % VIEWERS_IN_A_NETWORK)}`;

export const LOOPBACK: NetworkPath = {
  name: 'loopback',
  what: 'over loopback',
  serverAddress: '127.0.0.1',
  viewerAddress: (index) => `127.0.${hostNumber(index)}`,
  viewerCommand: [],
  close: async () => {},
};

const NAMESPACE = 'streamgate-bench';
const [SERVER_DEVICE, VIEWER_DEVICE] = ['sgbench0', 'sgbench1'];
/** Of the networks for benchmarks (RFC 2544). */
const [SERVER, VIEWERS] = ['198.18.0.1', '198.18.0.2'];
const VIEWER_NETWORK = '198.19.0.0/16';

const run = promisify(execFile);
const ip = (command: string) => run('ip', command.split(' '));

/**
 * Opens a path from this network namespace into another one, over a pair of virtual Ethernet devices. Packets pass the
 * routing, the neighbour table and the queues of the kernel, which loopback leaves out.
 * @returns undefined, with a notice, if this process may not create namespaces
 */
export async function openVethPath(): Promise<NetworkPath | undefined> {
  await removeNamespace();
  try {
    await ip(`netns add ${NAMESPACE}`);
    await ip(`link add ${SERVER_DEVICE} type veth peer name ${VIEWER_DEVICE} netns ${NAMESPACE}`);
    await ip(`addr add ${SERVER}/30 dev ${SERVER_DEVICE}`);
    await ip(`link set ${SERVER_DEVICE} up`);
    await ip(`-n ${NAMESPACE} addr add ${VIEWERS}/30 dev ${VIEWER_DEVICE}`);
    await ip(`-n ${NAMESPACE} link set ${VIEWER_DEVICE} up`);
    await ip(`-n ${NAMESPACE} link set lo up`);
    // The viewers' namespace accepts every address of the network as its own.
    await ip(`-n ${NAMESPACE} route add local ${VIEWER_NETWORK} dev lo`);
    await ip(`route add ${VIEWER_NETWORK} via ${VIEWERS} dev ${SERVER_DEVICE}`);
  } catch (error) {
    await removeNamespace();
    process.stderr.write(`only loopback is measured: a network namespace needs root and iproute2 (${String(error)})\n`);
    return undefined;
  }
  return {
    name: 'veth',
    what: 'into another network namespace',
    serverAddress: SERVER,
    viewerAddress: (index) => `198.19.${hostNumber(index)}`,
    viewerCommand: ['ip', 'netns', 'exec', NAMESPACE],
    close: removeNamespace,
  };
}

/** Limits what viewers receive over the path of `openVethPath` in all, with a queue in front of it, as a slow line has. */
export async function narrowVethPath(kbitPerSecond: number, queueMs: number): Promise<void> {
  const shape = `rate ${kbitPerSecond}kbit burst 5kb latency ${queueMs}ms`;
  await run('tc', `qdisc replace dev ${SERVER_DEVICE} root tbf ${shape}`.split(' '));
}

/** Also removes what a benchmark left behind that was killed. The devices go with the namespace. */
async function removeNamespace(): Promise<void> {
  await ip(`netns del ${NAMESPACE}`).catch(() => {});
}
