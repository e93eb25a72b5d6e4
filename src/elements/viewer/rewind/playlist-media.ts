const HLS = 'application/vnd.apple.mpegurl';

/**
 * `broken`: the playlist, or a segment, could not be loaded or played. `unsupported`: the browser cannot play it, or the
 * policy of the page forbids it.
 */
export type PlaylistFault = 'broken' | 'unsupported';

type OnFault = (fault: PlaylistFault) => void;

/** A playlist that a video plays from a time on, in seconds: by itself, or with hls.js in a browser without HLS. */
export interface PlaylistMedia {
  /** The video keeps nothing of it. */
  close(): void;
}

/** @param use of a `preview`, which shows single pictures, little is loaded ahead */
export function openPlaylist(
  video: HTMLVideoElement,
  url: string,
  time: number,
  onFault: OnFault,
  use: 'playback' | 'preview' = 'playback',
): PlaylistMedia {
  return (video.canPlayType(HLS) ? openNative : openByScript)(video, url, time, onFault, use);
}

function openNative(video: HTMLVideoElement, url: string, time: number, onFault: OnFault, use: string): PlaylistMedia {
  const listening = new AbortController();
  const { signal } = listening;
  video.addEventListener('error', () => video.error && onFault('broken'), { signal });
  const seek = (): void => {
    video.currentTime = time;
  };
  video.addEventListener('loadedmetadata', seek, { signal });
  video.preload = use === 'preview' ? 'metadata' : 'auto';
  video.src = url;
  return {
    close() {
      listening.abort();
      empty(video);
    },
  };
}

function openByScript(
  video: HTMLVideoElement,
  url: string,
  time: number,
  onFault: OnFault,
  use: string,
): PlaylistMedia {
  let isClosed = false;
  let end: (() => void) | undefined;
  const open = async (): Promise<void> => {
    try {
      const { playHls } = await import('./hls-player.js');
      if (!isClosed) end = playHls(video, url, time, use === 'preview', () => onFault('broken'));
    } finally {
      if (!isClosed && !end) onFault('unsupported');
    }
  };
  open().catch(() => {});
  return {
    close() {
      isClosed = true;
      end?.();
      empty(video);
    },
  };
}

function empty(video: HTMLVideoElement): void {
  video.pause();
  video.removeAttribute('src');
  video.load();
}
