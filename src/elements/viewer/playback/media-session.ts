import type { Player } from '../controls/player.js';

/**
 * Shows the stream in the media controls of the system, and makes media keys play and pause the viewer. It does not
 * change a media session that already has metadata: from the page, or from another viewer that plays.
 *
 * @param hasRecording whether the visitor sees the recording, which plays in any phase
 */
export function shareMediaSession(player: Player, hasRecording: () => boolean): void {
  // Absent in some browsers.
  const mediaSession = navigator.mediaSession as MediaSession | undefined;
  let own: MediaMetadata | undefined;
  const set = (metadata: MediaMetadata | null): void => {
    mediaSession!.metadata = metadata;
    // Not as the buttons of the tag do: while it reconnects, the system takes a viewer that plays for a paused one.
    mediaSession!.setActionHandler('play', metadata && (() => void player.play().catch(() => {})));
    mediaSession!.setActionHandler('pause', metadata && (() => player.pause()));
  };
  const release = (): void => {
    if (own && own === mediaSession?.metadata) set(null);
  };
  player.addController({
    hostUpdated() {
      const { phase, paused, streamName } = player;
      if (phase.name !== 'live' && !hasRecording()) {
        if (phase.name !== 'reconnecting') release();
      } else if (!paused && mediaSession?.metadata === null) {
        set((own = new MediaMetadata({ title: streamName })));
      }
    },
    hostDisconnected: release,
  });
}
