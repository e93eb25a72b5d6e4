import { randomUUID } from 'node:crypto';
import { MediaError } from '../../engine/media-error.js';
import type { AddedSource, AddSourceOptions } from '../../engine/media-session.js';
import type { AddedTracks } from '../../engine/media-track.js';
import { addedSourceTracks, FramePacketizer } from '../frames/frame-packetizer.js';
import { AddedSource as FedAddedSource } from '../producer/fed-source.js';
import type { RouterHandle } from './router-registry.js';

/**
 * Adds a source to a stream of this process.
 * @param handle is released at the end
 * @throws {MediaError} `stream_in_use`
 */
export function addSource(
  handle: RouterHandle,
  added: AddedTracks,
  { sourceId = null, onKeyframeRequest }: AddSourceOptions,
): AddedSource {
  const { router } = handle;
  if (router.has(sourceId)) {
    handle.release();
    throw new MediaError('stream_in_use', 'the source has a publisher already');
  }
  const open = (wanted: AddedTracks): { readonly source: FedAddedSource; readonly packetizer: FramePacketizer } => {
    const tracks = addedSourceTracks(wanted, { onKeyframeRequest });
    const source = new FedAddedSource({
      id: sourceId,
      tracks,
      events: router.sourceEvents,
      onKeyframeRequest: () => onKeyframeRequest?.(),
    });
    const packetizer = new FramePacketizer(tracks, {
      sendPacket: (encoding, sequence, packet) => {
        const now = performance.now();
        source.deliver(encoding, { sequence, packet, arrivedAt: now }, now);
        return true;
      },
      sendClock: (encoding, report) => source.onSenderReport(encoding, report, performance.now()),
    });
    return { source, packetizer };
  };
  let current = open(added);
  router.addSource(current.source);
  let isClosed = false;
  return {
    id: randomUUID(),
    write: (frame) => {
      if (!isClosed) current.packetizer.write(frame);
    },
    setTracks: (tracks) => {
      if (isClosed) return;
      const before = current;
      current = open(tracks);
      router.replaceSource(before.source, current.source, performance.now());
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      router.removeSource(current.source, performance.now());
      handle.release();
    },
  };
}
