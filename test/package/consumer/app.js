import { Viewer } from 'streamgate';
import 'streamgate/define/stream-viewer';

document.title = `streamgate ${new Viewer().phase.name}`;
