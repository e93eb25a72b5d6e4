import type { Logger } from 'pino';
import type { RecordingProcesses } from './open-recording.js';
import { PackagerProcess } from '../recording/packager/packager-process.js';
import { RecorderProcess } from '../recording/recorder/recorder-process.js';
import type { ProcessLogEntry } from '../recording/supervised-process.js';

/** @throws {Error} if one of them does not start; none runs then */
export async function startRecordingProcesses(log: Logger): Promise<RecordingProcesses> {
  const onLog = ({ level, message, ...fields }: ProcessLogEntry): void => log[level](fields, message);
  const recorder = await RecorderProcess.start({ onLog });
  try {
    return { recorder, packager: await PackagerProcess.start({ onLog }) };
  } catch (error) {
    await recorder.close();
    throw error;
  }
}
