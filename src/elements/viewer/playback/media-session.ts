import { togglePlay, type Player } from '../controls/player.js';

/**
 * Shows the stream in the media controls of the system, and makes media keys play and pause the viewer. It does not
 * change a media session that already has metadata: from the page, or from another viewer that plays.
 */
export function shareMediaSession(player: Player): void {
  // Absent in some browsers.
  const mediaSession = navigator.mediaSession as MediaSession | undefined;
  let own: MediaMetadata | undefined;
  const set = (metadata: MediaMetadata | null): void => {
    mediaSession!.metadata = metadata;
    for (const action of ['play', 'pause'] as const)
      mediaSession!.setActionHandler(action, metadata && (() => togglePlay(player)));
  };
  const release = (): void => {
    if (own && own === mediaSession?.metadata) set(null);
  };
  player.addController({
    hostUpdated() {
      const { phase, paused, streamName } = player;
      if (phase.name !== 'live') {
        if (phase.name !== 'reconnecting') release();
      } else if (!paused && mediaSession?.metadata === null) {
        set((own = new MediaMetadata({ title: streamName })));
      }
    },
    hostDisconnected: release,
  });
}
