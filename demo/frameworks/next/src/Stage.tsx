'use client';
import { useEffect, useState } from 'react';
import { setDefaultEndpoint } from 'streamgate/elements';
import { Broadcast } from './Broadcast';
import { readSettings, type Settings } from './settings';
import { Watch } from './Watch';

/** On the server the settings are unknown. Without a stream name the tag waits. */
const NOTHING_YET: Settings = { endpoint: '', streams: [''], token: '', publishToken: '' };

export function Stage() {
  const [settings, setSettings] = useState<Settings>();
  const [isJoined, setJoined] = useState(true);
  const [chosen, setChosen] = useState(0);
  // The server has no address bar, and the first render in the browser must equal that of the server.
  useEffect(() => {
    const found = readSettings();
    setDefaultEndpoint(found.endpoint);
    setSettings(found);
  }, []);

  const { streams, token, publishToken } = settings ?? NOTHING_YET;
  const next = (chosen + 1) % streams.length;
  return (
    <>
      <button onClick={() => setJoined(!isJoined)}>{isJoined ? 'Leave' : 'Join'}</button>
      <button onClick={() => setChosen(next)}>Switch to {streams[next]}</button>
      {isJoined && (token || !settings) && <Watch streamName={streams[chosen]} token={token} />}
      {isJoined && publishToken && <Broadcast streamName={streams[chosen]} token={publishToken} />}
    </>
  );
}
