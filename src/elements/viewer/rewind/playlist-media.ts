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

export function openPlaylist(video: HTMLVideoElement, url: string, time: number, onFault: OnFault): PlaylistMedia {
  return (video.canPlayType(HLS) ? openNative : openByScript)(video, url, time, onFault);
}

function openNative(video: HTMLVideoElement, url: string, time: number, onFault: OnFault): PlaylistMedia {
  const listening = new AbortController();
  const { signal } = listening;
  video.addEventListener('error', () => video.error && onFault('broken'), { signal });
  const seek = (): void => {
    video.currentTime = time;
  };
  video.addEventListener('loadedmetadata', seek, { signal });
  video.src = url;
  return {
    close() {
      listening.abort();
      empty(video);
    },
  };
}

function openByScript(video: HTMLVideoElement, url: string, time: number, onFault: OnFault): PlaylistMedia {
  let isClosed = false;
  let end: (() => void) | undefined;
  const open = async (): Promise<void> => {
    try {
      const { playHls } = await import('./hls-player.js');
      if (!isClosed) end = playHls(video, url, time, () => onFault('broken'));
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
