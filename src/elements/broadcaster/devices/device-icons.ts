import { icon } from '../../icons.js';

export const microphoneIcon = icon('M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3');
export const microphoneOffIcon = icon(
  'M9 9v2a3 3 0 0 0 5 2M15 10V6a3 3 0 0 0-6-.500M5 11a7 7 0 0 0 11 5.600M12 18v3M4 3l16 18',
);
export const cameraIcon = icon('M3 6h12v12H3zM15 10l6-3v10l-6-3');
export const cameraOffIcon = icon('M8 6h7v7m0 5H3V6M15 10l6-3v10l-4-2M3 3l18 18');
export const screenIcon = icon('M3 4h18v12H3zM8 20h8M12 16v4M9 10l3-3 3 3M12 7v6');
