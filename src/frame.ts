export type {
  FrameCommand,
  FrameCommandCode,
  FrameEvent,
  FrameEventType,
  FrameMessage,
  FrameState,
} from './frame/frame-message.js';
export { StreamFrame, StreamFrameEvent } from './frame/stream-frame.js';
