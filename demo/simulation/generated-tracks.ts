import { HEIGHT, WIDTH, type Scene } from './scenes.js';

/** Of all tracks that begin from now on. */
export const frameRate = { perSecond: 15 };

/** A video track that shows a scene until it is stopped. */
export function sceneTrack(scene: Scene): MediaStreamTrack {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  // The canvas has an alpha channel: without it, Chromium (2026) shows a paused video black if it renders without a GPU.
  const context = canvas.getContext('2d')!;
  const startedAt = performance.now();
  const paint = (): void => scene(context, (performance.now() - startedAt) / 1000);
  paint();
  const track = canvas.captureStream(frameRate.perSecond).getVideoTracks()[0]!;
  const painter = setInterval(() => {
    // A track dispatches no event when a script stops it.
    if (track.readyState === 'ended') clearInterval(painter);
    else paint();
  }, 1000 / frameRate.perSecond);
  return track;
}

let audio: AudioContext | undefined;

/** The shared audio context. Browsers suspend it until the first click or key press. */
function context(): AudioContext {
  if (!audio) {
    const created = (audio = new AudioContext());
    addEventListener('pointerdown', () => void created.resume(), { capture: true });
    addEventListener('keydown', () => void created.resume(), { capture: true });
  }
  return audio;
}

/** A chord whose volume rises and falls slowly. */
export function musicTrack(): MediaStreamTrack {
  return toneTrack([196, 246.9, 293.7], 0.25);
}

/** A sound that moves the level meter as a voice does. */
export function voiceTrack(): MediaStreamTrack {
  return toneTrack([140, 283, 431], 2.3);
}

function toneTrack(tones: readonly number[], swellsPerSecond: number): MediaStreamTrack {
  const audioContext = context();
  const out = audioContext.createMediaStreamDestination();
  const volume = new GainNode(audioContext, { gain: 0.03 });
  const depth = new GainNode(audioContext, { gain: 0.025 });
  const swell = new OscillatorNode(audioContext, { frequency: swellsPerSecond });
  swell.connect(depth).connect(volume.gain);
  swell.start();
  for (const frequency of tones) {
    const tone = new OscillatorNode(audioContext, { frequency });
    tone.connect(volume);
    tone.start();
  }
  volume.connect(out);
  return out.stream.getAudioTracks()[0]!;
}
