import { useState } from 'react';
import { StreamViewer } from 'streamgate/react';

export function Watch({ streamName, token }: { streamName: string; token: string }) {
  const [status, setStatus] = useState('Connecting');
  const [viewers, setViewers] = useState(0);
  return (
    <section>
      <StreamViewer
        autoplay
        controls
        streamName={streamName}
        token={token}
        onStreamWaiting={() => setStatus('Waiting')}
        onStreamLive={(event) => setStatus(`Live: ${event.streamName}`)}
        onStreamEnded={() => setStatus('Over')}
        onStreamError={(event) => setStatus(event.retrying ? 'Reconnecting' : 'Failed')}
        onStreamRejected={(event) => setStatus(`Refused: ${event.reason}`)}
        onStreamViewerCount={(event) => setViewers(event.viewers)}
      >
        <p slot="waiting">The doors are open. We begin at eight.</p>
      </StreamViewer>
      <p role="status">{status}</p>
      <p>{viewers} watching</p>
    </section>
  );
}
