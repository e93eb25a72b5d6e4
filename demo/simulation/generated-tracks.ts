import { HEIGHT, WIDTH, type Scene } from './scenes.js';

const FRAMES_PER_SECOND = 15;

/** A video track that shows a scene until it is stopped. */
export function sceneTrack(motif: Scene): MediaStreamTrack {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  // With alpha: without it, Chromium (2026) shows a paused video black where it renders without a GPU.
  const context = canvas.getContext('2d')!;
  const startedAt = performance.now();
  const paint = (): void => motif(context, (performance.now() - startedAt) / 1000);
  paint();
  const track = canvas.captureStream(FRAMES_PER_SECOND).getVideoTracks()[0]!;
  const painter = setInterval(() => {
    // Tracks send no event when their owner stops them.
    if (track.readyState === 'ended') clearInterval(painter);
    else paint();
  }, 1000 / FRAMES_PER_SECOND);
  return track;
}

let audio: AudioContext | undefined;

/** Browsers keep it silent until the first click or key press. */
function context(): AudioContext {
  if (!audio) {
    const created = (audio = new AudioContext());
    addEventListener('pointerdown', () => void created.resume(), { capture: true });
    addEventListener('keydown', () => void created.resume(), { capture: true });
  }
  return audio;
}

/** A soft chord that grows louder and softer. */
export function musicTrack(): MediaStreamTrack {
  return toneTrack([196, 246.9, 293.7], 0.25);
}

/** Moves the level meter as a voice does. */
export function voiceTrack(): MediaStreamTrack {
  return toneTrack([140, 283, 431], 2.3);
}

function toneTrack(tones: readonly number[], swellsPerSecond: number): MediaStreamTrack {
  const here = context();
  const out = here.createMediaStreamDestination();
  const volume = new GainNode(here, { gain: 0.03 });
  const depth = new GainNode(here, { gain: 0.025 });
  const swell = new OscillatorNode(here, { frequency: swellsPerSecond });
  swell.connect(depth).connect(volume.gain);
  swell.start();
  for (const frequency of tones) {
    const tone = new OscillatorNode(here, { frequency });
    tone.connect(volume);
    tone.start();
  }
  volume.connect(out);
  return out.stream.getAudioTracks()[0]!;
}
