import { words } from '../words.ts';
import type { Layer } from './setting.ts';

export function layerName(layer: Layer): string {
  return words.settings.layerNames[layer];
}
