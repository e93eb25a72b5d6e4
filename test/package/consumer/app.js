import { Viewer } from 'streamgate';
import 'streamgate/define/stream-viewer';
import 'streamgate/words/de';

document.title = `streamgate ${new Viewer().phase.name}`;
