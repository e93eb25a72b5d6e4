import HlsJs from 'hls.js/light';

/**
 * Plays a playlist with hls.js, in a browser without HLS. This module is loaded only there.
 *
 * @param startPosition in seconds
 * @param isPreview little is loaded ahead
 * @param onFatal hls.js cannot get over a fault
 * @returns ends it. Undefined: the browser has no Media Source Extensions either
 */
export function playHls(
  video: HTMLVideoElement,
  url: string,
  startPosition: number,
  isPreview: boolean,
  onFatal: () => void,
): (() => void) | undefined {
  if (!HlsJs.isSupported()) return undefined;
  // A worker would have to be loaded from a `blob:` address, which strict policies forbid; fMP4 needs none.
  const hls = new HlsJs({
    startPosition,
    enableWorker: false,
    ...(isPreview && { maxBufferLength: 1, maxMaxBufferLength: 1 }),
  });
  hls.on(HlsJs.Events.ERROR, (_, { fatal }) => fatal && onFatal());
  hls.attachMedia(video);
  hls.loadSource(url);
  return () => hls.destroy();
}
