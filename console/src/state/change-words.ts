import type { Layer } from './setting.ts';

const names: Record<Layer, string> = {
  BUILT_IN: 'built-in default',
  ORGANISATION: 'organisation default',
  USER: 'personal setting',
  QUERY: 'single question',
  CEILING: 'organisation ceiling',
};

export function layerName(layer: Layer): string {
  return names[layer];
}
