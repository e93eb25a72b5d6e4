import { useState } from 'react';
import { Broadcast } from './Broadcast';
import { settings } from './settings';
import { Watch } from './Watch';

export function App() {
  const { streams, token, publishToken } = settings;
  const [isHere, setHere] = useState(true);
  const [chosen, setChosen] = useState(0);
  const next = (chosen + 1) % streams.length;
  return (
    <>
      <h1>Streamgate with React</h1>
      <button onClick={() => setHere(!isHere)}>{isHere ? 'Leave' : 'Come in'}</button>
      <button onClick={() => setChosen(next)}>Switch to {streams[next]}</button>
      {isHere && token && <Watch streamName={streams[chosen]} token={token} />}
      {isHere && publishToken && <Broadcast streamName={streams[chosen]} token={publishToken} />}
    </>
  );
}
