import { useState } from 'react';
import { Broadcast } from './Broadcast';
import { settings } from './settings';
import { Watch } from './Watch';

export function App() {
  const { streams, token, publishToken } = settings;
  const [isJoined, setJoined] = useState(true);
  const [chosen, setChosen] = useState(0);
  const next = (chosen + 1) % streams.length;
  return (
    <>
      <h1>Streamgate with React</h1>
      <button onClick={() => setJoined(!isJoined)}>{isJoined ? 'Leave' : 'Join'}</button>
      <button onClick={() => setChosen(next)}>Switch to {streams[next]}</button>
      {isJoined && token && <Watch streamName={streams[chosen]} token={token} />}
      {isJoined && publishToken && <Broadcast streamName={streams[chosen]} token={publishToken} />}
    </>
  );
}
