import { setTimeout as delay } from 'node:timers/promises';
import type { Keyframe, SourceId } from '../../engine/media-track.js';
import type { Router } from './router.js';

/** Encoders need up to half a second for a keyframe, and a packet of it may be lost for good. */
const KEYFRAME_WITHIN_MS = 1_500;
const ATTEMPTS = 2;
/** The video of a new source begins some ms after its audio. */
const VIDEO_POLL_MS = 50;

/**
 * Asks a source for a keyframe, and waits for it.
 * @param router the stream's, which may change meanwhile
 * @returns undefined: the source sends no video, or no keyframe came
 */
export async function awaitKeyframe(
  router: () => Router | undefined,
  sourceId: SourceId,
): Promise<Keyframe | undefined> {
  const giveUpAt = performance.now() + ATTEMPTS * KEYFRAME_WITHIN_MS;
  while (performance.now() < giveUpAt) {
    const video = router()?.videoState(sourceId) ?? 'none';
    if (video === 'none') return undefined;
    const keyframe =
      video === 'arriving' ? await nextKeyframe(router(), sourceId) : await delay(VIDEO_POLL_MS, undefined);
    if (keyframe) return keyframe;
  }
  return undefined;
}

function nextKeyframe(router: Router | undefined, sourceId: SourceId): Promise<Keyframe | undefined> {
  const { promise, resolve } = Promise.withResolvers<Keyframe | undefined>();
  const stop = router?.collectKeyframe(sourceId, resolve, performance.now());
  if (!stop) return Promise.resolve(undefined);
  const timer = setTimeout(resolve, KEYFRAME_WITHIN_MS, undefined).unref();
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}
