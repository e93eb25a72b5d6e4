import { Viewer } from 'streamgate';
import 'streamgate/define/stream-viewer';
import 'streamgate/i18n/de';

document.title = `streamgate ${new Viewer().phase.name}`;
