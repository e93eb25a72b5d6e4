/** The main module of the recorder's process. */
import { openTap } from '../../media/embedded/tap/open-tap.js';
import { runRecorder } from './run-recorder.js';

runRecorder(openTap);
