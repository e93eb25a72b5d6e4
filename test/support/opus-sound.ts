import { spawn } from 'node:child_process';
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny';
import { ffmpegProgram, words } from './run-encoder.ts';

/** Samples of one channel at 48 kHz, from -1 to 1. */
export type Sound = Float32Array;

/** Without a pre-skip: RTP has none, and browsers play what is in it. */
const OPUS_HEAD = Buffer.from('4f707573486561640102000080bb0000000000', 'hex');

/** The sound of Opus packets of 20 ms in stereo, from the first sample on. */
export async function decodedOpus(packets: readonly Buffer[]): Promise<Sound> {
  const target = new BufferTarget();
  const output = new Output({ format: new OggOutputFormat(), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = { codec: 'opus', numberOfChannels: 2, sampleRate: 48_000, description: OPUS_HEAD };
  for (const [index, packet] of packets.entries()) {
    await source.add(new EncodedPacket(packet, 'key', index * 0.02, 0.02), { decoderConfig });
  }
  await output.finalize();
  return decodedSound(Buffer.from(target.buffer!));
}

/** The sound of a media file, as ffmpeg decodes it. */
export async function decodedSound(file: Buffer): Promise<Sound> {
  const args = words('-hide_banner -loglevel error -i pipe:0 -ac 1 -ar 48000 -f f32le pipe:1');
  const child = spawn(await ffmpegProgram(), args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(file);
  const bytes = Buffer.concat(await child.stdout.toArray());
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(4 * index));
}

/** How loud a tone is in the sound: its amplitude. @param frequency in Hz */
export function amplitudeOf(frequency: number, sound: Sound): number {
  const step = (2 * Math.PI * frequency) / 48_000;
  let [real, imaginary] = [0, 0];
  for (const [index, sample] of sound.entries()) {
    real += sample * Math.cos(step * index);
    imaginary += sample * Math.sin(step * index);
  }
  return (2 * Math.hypot(real, imaginary)) / sound.length;
}

/** When silence ends, in ms after the first sample. */
export const onsetOf = (sound: Sound): number => sound.findIndex((sample) => Math.abs(sample) > 0.05) / 48;
