import { HEIGHT, WIDTH, type Scene } from './scenes.js';

const PICTURES_PER_SECOND = 15;

/** A painted picture that moves for as long as anybody holds its track. */
export function sceneTrack(motif: Scene): MediaStreamTrack {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  // Not without alpha: a browser that draws without a GPU has a paused picture black then (Chromium, 2026).
  const context = canvas.getContext('2d')!;
  const began = performance.now();
  const paint = (): void => motif(context, (performance.now() - began) / 1000);
  paint();
  const track = canvas.captureStream(PICTURES_PER_SECOND).getVideoTracks()[0]!;
  const painter = setInterval(() => {
    // Nothing is said of a track that its owner stops.
    if (track.readyState === 'ended') clearInterval(painter);
    else paint();
  }, 1000 / PICTURES_PER_SECOND);
  return track;
}

let audio: AudioContext | undefined;

/** Silent until somebody has clicked on the page, as browsers have it. */
function context(): AudioContext {
  if (!audio) {
    const made = (audio = new AudioContext());
    addEventListener('pointerdown', () => void made.resume(), { capture: true });
    addEventListener('keydown', () => void made.resume(), { capture: true });
  }
  return audio;
}

/** A soft chord that swells and fades. */
export function musicTrack(): MediaStreamTrack {
  return soundTrack([196, 246.9, 293.7], 0.25);
}

/** Nobody hears it; it moves the meter as a voice does. */
export function voiceTrack(): MediaStreamTrack {
  return soundTrack([140, 283, 431], 2.3);
}

function soundTrack(tones: readonly number[], swells: number): MediaStreamTrack {
  const here = context();
  const out = here.createMediaStreamDestination();
  const volume = new GainNode(here, { gain: 0.03 });
  const depth = new GainNode(here, { gain: 0.025 });
  const swell = new OscillatorNode(here, { frequency: swells });
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
