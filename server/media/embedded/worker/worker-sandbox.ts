import { processSandbox, type Sandbox } from '../../../process-sandbox.js';

/**
 * What a process that carries media may do: load its own code, of which the WebRTC library is native, use the network,
 * and work with the sockets between workers.
 * @param socketFolder undefined: the sockets are not in a folder
 */
export function workerSandbox(socketFolder: string | undefined): Sandbox {
  return processSandbox({ folders: socketFolder === undefined ? [] : [socketFolder], hasMedia: true });
}
