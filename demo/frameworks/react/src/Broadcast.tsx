import { useEffect, useState } from 'react';
import { StreamBroadcaster } from 'streamgate/react';
import { paint } from './paint';

export function Broadcast({ streamName, token }: { streamName: string; token: string }) {
  const [media, setMedia] = useState<MediaStream | null>(null);
  const [status, setStatus] = useState('Not live');
  useEffect(() => {
    const life = new AbortController();
    setMedia(paint(life.signal));
    return () => life.abort();
  }, []);
  return (
    <section>
      <StreamBroadcaster
        streamName={streamName}
        token={token}
        srcObject={media}
        onStreamLive={(event) => setStatus(`Broadcasting: ${event.streamName}`)}
        onStreamEnded={() => setStatus('Not live')}
        onStreamError={(event) => setStatus(event.retrying ? 'Reconnecting' : 'Failed')}
        onStreamRejected={(event) => setStatus(`Refused: ${event.reason}`)}
      />
      <p role="status">{status}</p>
    </section>
  );
}
