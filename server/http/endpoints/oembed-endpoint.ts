import { oembedQuery, oembedVideo } from '../../../src/wire/oembed.js';
import { defineEndpoints } from './endpoint.js';

export const oembedEndpoints = defineEndpoints({
  oembed: {
    method: 'get',
    path: '/oembed',
    id: 'oembed',
    tag: 'Server',
    summary: 'A frame with the hosted viewer, for a link of this server (oEmbed 1.0)',
    description:
      'Sites that support oEmbed call it when a person pastes a viewer link. It answers for every stream name, whether or not the stream exists. The frame has no token, also if the link has one. A stream that is live and that everybody may watch has a picture, unless it is larger than `maxwidth` or `maxheight`.',
    query: oembedQuery,
    response: oembedVideo,
    access: 'open',
    errors: { 404: ['link_unknown'] },
  },
});
